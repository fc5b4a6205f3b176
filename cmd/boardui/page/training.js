// How a person does at puzzles: a rating, a streak and what was missed. It stays in the browser.
//
// Puzzles of level 1 to 5 stand for ratings 300 apart, and each first attempt at one is a game against
// it (Elo).

import { put } from './store.js';

const key = 'tengen.training';
const lowest = 800, apart = 300; // ratings of the levels
const mostMissed = 200;          // puzzles that are kept, those missed last

// record is {rating, count, streak, best, missed}: count is that of the rated attempts, missed are
// puzzles by their keys.
export function record() {
	let found = {};
	try { found = JSON.parse(localStorage.getItem(key)) || {}; } catch { /* no storage */ }
	return { rating: 1000, count: 0, streak: 0, best: 0, missed: {}, ...found };
}

const ratingOf = (level) => lowest + (level - 1) * apart;

// fitting is the level nearest to the rating.
export const fitting = () => Math.min(Math.max(Math.round((record().rating - lowest) / apart) + 1, 1), 5);

// note keeps the result of a first attempt at a puzzle. One without a level, from a person's own game,
// is not rated.
export const note = (puzzle, id, solved) => put(key, () => JSON.stringify(after(record(), puzzle, id, solved)));

// after returns the record after an attempt.
function after(now, puzzle, id, solved) {
	const { level } = puzzle;
	if (level) {
		const expected = 1 / (1 + 10 ** ((ratingOf(level) - now.rating) / 400));
		now.rating = Math.round(now.rating + (now.count < 20 ? 48 : 24) * ((solved ? 1 : 0) - expected));
		now.count++;
	}
	now.streak = solved ? now.streak + 1 : 0;
	now.best = Math.max(now.best, now.streak);
	delete now.missed[id];
	if (!solved) now.missed[id] = puzzle;
	for (const old of Object.keys(now.missed).slice(0, -mostMissed)) delete now.missed[old];
	return now;
}
