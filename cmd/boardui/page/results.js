// What analyses have found: the deepest result of every position, for this visit of the page.

import { pos } from './game.js';

const most = 1000; // positions kept, those that were looked at last

const results = new Map(); // by key: {lines, report}

// keyOf is the key of the position after the first ply moves, searched with a limit: a text that says
// which moves are searched, empty for all.
export const keyOf = (game, ply, limit) => `${game.rule}.${game.width}.${game.height}.${pos(game, game.moves.slice(0, ply))}|${limit}`;

// known returns {lines, report} of a position, or null. Lines are [{cells, report}], see analysis.js.
export function known(key) {
	const found = results.get(key);
	if (!found) return null;
	results.delete(key); // it becomes the last one
	results.set(key, found);
	return found;
}

export function keep(key, found) {
	results.delete(key);
	results.set(key, found);
	if (results.size > most) results.delete(results.keys().next().value);
}

// overtakes reports whether a search has found as much as another: it is as deep, or has a win or a
// loss that the other does not know.
export const overtakes = (report, other) => Boolean(report) && (!other || (report.depth || 0) >= (other.depth || 0) || Boolean(report.mate && !other.mate));
