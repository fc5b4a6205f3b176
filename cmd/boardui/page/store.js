// The browser's storage: the game of every tab, and the settings.

import { restore, stored } from './tree.js';

const prefix = 'tengen.game.';
const kept = 60; // games, including those of open tabs

// hold locks the game of that id for this tab and returns whether that succeeded. Without
// locks, which browsers offer to secure origins only, it always does.
async function hold(id) {
	if (!navigator.locks || await lock(id)) return true;
	await new Promise((resolve) => setTimeout(resolve, 150)); // the page before a reload may still have the lock
	return lock(id);
}

function lock(id) {
	return new Promise((resolve) => {
		navigator.locks.request(prefix + id, { ifAvailable: true }, (granted) => {
			resolve(Boolean(granted));
			return granted && new Promise(() => {}); // until the tab is closed
		});
	});
}

function load(id) {
	try {
		return restore(localStorage.getItem(prefix + id));
	} catch {
		return null;
	}
}

function list() {
	const ids = [];
	for (let i = 0; i < localStorage.length; i++) {
		const key = localStorage.key(i);
		if (key.startsWith(prefix)) ids.push(key.slice(prefix.length));
	}
	const at = (id) => load(id)?.saved || 0;
	return ids.sort((a, b) => at(b) - at(a));
}

// find returns the game of this tab: the one before a reload, or the last one played unless
// another tab has it, or null. A duplicated tab gets a copy of its game, with id null.
export async function find() {
	try {
		const mine = sessionStorage.getItem('tengen.tab');
		if (mine) {
			const game = load(mine);
			if (game && !(await hold(mine))) return { ...game, id: null };
			if (game) return game;
		}
		const [last] = list();
		if (last && navigator.locks && await hold(last)) return load(last);
	} catch { /* no storage */ }
	return null;
}

// keep stores the game of this tab.
export function keep(game) {
	try {
		if (sessionStorage.getItem('tengen.tab') !== game.id) {
			sessionStorage.setItem('tengen.tab', game.id);
			hold(game.id);
		}
		localStorage.setItem(prefix + game.id, stored({ ...game, saved: Date.now() }));
		for (const id of list().slice(kept)) localStorage.removeItem(prefix + id);
	} catch { /* no storage, or it is full */ }
}

export function settings() {
	let stored = {};
	try { stored = JSON.parse(localStorage.getItem('tengen.settings')) || {}; } catch { /* as above */ }
	return {
		language: navigator.language?.startsWith('zh') ? 'zh' : 'en', theme: '',
		numbers: false, threats: false, coordinates: true, sound: false, ...stored,
	};
}

export function keepSettings(s) {
	try { localStorage.setItem('tengen.settings', JSON.stringify(s)); } catch { /* as above */ }
}
