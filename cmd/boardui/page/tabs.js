// The panels beside the board, of which one is shown: a tab #tab-NAME for each #panel-NAME.

import { state } from './state.js';
import * as store from './store.js';

const list = document.querySelector('.tabs');
const tabs = Array.from(list.querySelectorAll('[role=tab]'));
const nameOf = (tab) => tab.id.slice('tab-'.length);

// shown is the name of the panel that is shown.
export const shown = () => tabs.some((tab) => nameOf(tab) === state.settings.panel) ? state.settings.panel : 'play';

// open shows a panel.
export function open(name) {
	state.settings.panel = name;
	store.keepSettings(state.settings);
	draw();
}

// draw marks the tab of the panel that is shown.
export function draw() {
	for (const tab of tabs) {
		const on = nameOf(tab) === shown();
		tab.setAttribute('aria-selected', on);
		tab.tabIndex = on ? 0 : -1;
		document.getElementById(tab.getAttribute('aria-controls')).hidden = !on;
	}
}

// listen connects the tabs; changed is called after another panel is shown.
export function listen(changed) {
	const go = (tab) => {
		open(nameOf(tab));
		changed();
	};
	list.addEventListener('click', (event) => {
		const tab = event.target.closest('[role=tab]');
		if (tab) go(tab);
	});
	list.addEventListener('keydown', (event) => {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (!step) return;
		event.preventDefault();
		event.stopPropagation();
		const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
		next.focus();
		go(next);
	});
	draw();
}
