// The browser's storage: games and settings. Every game has an entry of its own; nothing is
// ever deleted to make room, and an entry that cannot be read stays as it is.

import { restore, stored } from './tree.js';

const prefix = 'tengen.game.';
const ours = () => sessionStorage.getItem('tengen.tab'); // id of this tab's game

let held = null;    // id of the game that this tab holds
let release = null; // ends the lock on it

const patience = 3000; // milliseconds, for the lock of a tab that has gone, or the answer of one that is busy

// hold makes the game of that id this tab's and returns whether that succeeded: a game is
// shown by one tab at a time.
async function hold(id) {
	if (held === id) return true;
	const free = navigator.locks ? await lock(id, { ifAvailable: true }) || await later(id) : await ask(id);
	if (!free) return false;
	mark(false);
	held = id;
	mark(true);
	return true;
}

// later waits for the lock if no tab says that it has the game: one that was closed, or the page
// before a reload, has it until the browser has cleared that away.
const later = async (id) => await ask(id) && lock(id, { signal: AbortSignal.timeout(patience) });

function lock(id, how) {
	return new Promise((resolve) => {
		navigator.locks.request(prefix + id, how, (granted) => {
			resolve(Boolean(granted));
			if (!granted) return null;
			release?.();
			return new Promise((done) => { release = done; }); // at the latest until the tab is closed
		}).catch(() => resolve(false)); // not in time
	});
}

// The tabs ask each other who has a game. Browsers offer locks to secure origins only, so by http to
// another computer on the network that is all there is.
const channel = new BroadcastChannel('tengen');
const asked = new Map(); // id: function that gets the answer

channel.addEventListener('message', ({ data }) => {
	if (data.ask && data.ask === held) channel.postMessage({ taken: held });
	if (data.taken) asked.get(data.taken)?.(false);
});

function ask(id) {
	return new Promise((resolve) => {
		asked.set(id, resolve);
		channel.postMessage({ ask: id });
		setTimeout(() => { asked.delete(id); resolve(true); }, marked(id) ? patience : 150);
	});
}

// Without locks the game that a tab has is marked in the storage until the page is left, so that a tab
// that is slow to answer is waited for.
const markOf = (id) => 'tengen.held.' + id;

function mark(on) {
	if (navigator.locks || held === null) return;
	try {
		if (on) localStorage.setItem(markOf(held), '');
		else localStorage.removeItem(markOf(held));
	} catch { /* no room: others wait less */ }
}

function marked(id) {
	try { return localStorage.getItem(markOf(id)) !== null; } catch { return false; }
}

addEventListener('pagehide', () => mark(false));
addEventListener('pageshow', () => mark(true)); // also of a page that comes back as it was

// read returns a stored game, or null if there is none or it is damaged.
function read(id) {
	try {
		return restore(localStorage.getItem(prefix + id));
	} catch {
		return null;
	}
}

// games lists what is stored, the last first: {id, game, text}, where game is null and text
// the entry itself if that is damaged.
export function games() {
	const list = [];
	try {
		for (let i = 0; i < localStorage.length; i++) {
			const key = localStorage.key(i);
			if (!key.startsWith(prefix)) continue;
			const id = key.slice(prefix.length), game = read(id);
			list.push({ id, game, text: game ? '' : localStorage.getItem(key) });
		}
	} catch { /* no storage */ }
	return list.sort((a, b) => (b.game?.saved || 0) - (a.game?.saved || 0));
}

// find returns the game of this tab: the one before a reload, or the last one played unless
// another tab has it, or null. A duplicated tab gets a copy of its game, with id null.
export async function find() {
	try {
		const mine = ours();
		if (mine) {
			const game = read(mine);
			if (game && !(await hold(mine))) return { ...game, id: null };
			if (game) return game;
		}
		const last = games().find((entry) => entry.game?.root.next.length)?.id; // what was never played is no loss
		if (last && await hold(last)) return read(last);
	} catch { /* no storage */ }
	return null;
}

// take returns a stored game for this tab to go on with: a copy, with id null, if another tab
// has it; null if it cannot be read.
export async function take(id) {
	const game = read(id);
	return game && !(await hold(id)) ? { ...game, id: null } : game;
}

// keep stores the game of this tab. If the browser has no room for it, what was stored before
// stays.
export function keep(game) {
	if (game.puzzle) return;
	try {
		if (ours() !== game.id) {
			const before = ours() && read(ours());
			if (before && !before.root.next.length) localStorage.removeItem(prefix + before.id);
			sessionStorage.setItem('tengen.tab', game.id);
			hold(game.id);
		}
		localStorage.setItem(prefix + game.id, stored({ ...game, saved: Date.now() }));
		missing = null;
	} catch {
		if (!missing) full();
		missing = game;
	}
}

let missing = null; // the game whose last change is not stored
let full = () => {};
const waiting = []; // what put could not store yet: [key, make]
let refused = () => {};

// listen sets the functions that are called when the browser has no room: f for the game, and g for
// something else.
export function listen(f, g) {
	full = f;
	refused = g;
}

// put stores a text that is no game: make returns it, from what is stored by then. If the browser has
// no room for it, it waits until there is.
export function put(key, make) {
	const told = waiting.length > 0;
	waiting.push([key, make]);
	if (!putWaiting() && !told) refused();
}

// putWaiting stores what waits and returns whether there was room for all.
function putWaiting() {
	try {
		for (; waiting.length; waiting.shift()) localStorage.setItem(waiting[0][0], waiting[0][1]());
		return true;
	} catch {
		return false;
	}
}

// taken reports whether another tab has a game, which it would store again after it is deleted.
export const taken = async (id) => !(navigator.locks ? await navigator.locks.request(prefix + id, { ifAvailable: true }, Boolean) : await ask(id));

// remove deletes a game and returns what was stored, for putBack; null if nothing was. What there was no
// room for takes its place.
export function remove(id) {
	const text = localStorage.getItem(prefix + id);
	localStorage.removeItem(prefix + id);
	if (missing) keep(missing);
	putWaiting();
	return text;
}

// putBack stores it again and returns whether there was room.
export function putBack(id, text) {
	try {
		localStorage.setItem(prefix + id, text);
		return true;
	} catch {
		return false;
	}
}

export function settings() {
	let found = {};
	try { found = JSON.parse(localStorage.getItem('tengen.settings')) || {}; } catch { /* as above */ }
	return { language: '', theme: '', numbers: false, threats: false, coordinates: true, sound: false, keys: true, confirm: false, ...found };
}

// keepSetting stores one setting: another tab may have changed the others.
export function keepSetting(key, value) {
	put('tengen.settings', () => JSON.stringify({ ...settings(), [key]: value }));
}
