// The panels beside the board, of which one is shown: a tab #tab-NAME for each #panel-NAME.

import { use } from './later.js';
import { state, changed, set } from './state.js';

const list = document.querySelector('.tabs');
const tabs = Array.from(list.querySelectorAll('[role=tab]'));
const late = ['review', 'explorer', 'puzzles']; // panels with a module of their name that is loaded when they are shown

const nameOf = (tab) => tab.id.slice('tab-'.length);

// shown is the name of the panel that is shown.
export const shown = () => tabs.some((tab) => nameOf(tab) === state.settings.panel) ? state.settings.panel : 'play';

// open shows a panel.
export function open(name) {
	set('panel', name);
	draw();
}

// draw marks the tab of the panel that is shown.
function draw() {
	if (late.includes(shown())) use(shown(), changed);
	for (const tab of tabs) {
		const on = nameOf(tab) === shown();
		tab.setAttribute('aria-selected', on);
		tab.tabIndex = on ? 0 : -1;
		document.getElementById(tab.getAttribute('aria-controls')).hidden = !on;
		if (on) list.scrollLeft = tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2; // where not all fit
	}
}

// listen connects the tabs.
export function listen() {
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
