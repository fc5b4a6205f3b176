// The rating of the person: a level of the built-in engine, estimated from rated games. It stays in
// the browser.
//
// A person of level r wins against level n with probability 1/(1+exp(n-r)): 73% one level below, as
// the levels are meant to be apart.

import { levelNow, levels } from './levels.js';
import { put } from './store.js';

const key = 'tengen.rating';
const most = 500;                 // games kept
const mean = 1.5, deviation = 3;   // what is thought of a person without games; none is below level 0
const fade = 0.97;                // weight of a game against that after it

// games are [{date, level, of, points}], the last one at the end: a level of so many, 1 point for a win,
// half for a draw. Those of ten levels do not say of how many.
export function games() {
	try {
		return (JSON.parse(localStorage.getItem(key)) || []).map((game) => game.of ? game : { ...game, level: levelNow(game.level), of: levels });
	} catch { return []; }
}

// note keeps the result of a rated game.
export function note(game) {
	put(key, () => JSON.stringify([...games(), { ...game, of: levels }].slice(-most)));
}

// estimate returns the rating after some games: {level, error}, its mean and standard deviation.
export function estimate(list) {
	const grid = Array.from({ length: 10 * (levels + 2) + 1 }, (_, i) => i / 10);
	const logs = grid.map((r) => list.reduce((sum, { level, points }, i) => {
		const weight = fade ** (list.length - 1 - i), lose = -Math.log1p(Math.exp(r - level)), win = -Math.log1p(Math.exp(level - r));
		return sum + weight * (points * win + (1 - points) * lose);
	}, -((r - mean) ** 2) / (2 * deviation ** 2)));
	const top = Math.max(...logs), chances = logs.map((x) => Math.exp(x - top)), all = chances.reduce((a, b) => a + b);
	const level = grid.reduce((sum, r, i) => sum + r * chances[i], 0) / all;
	return { level, error: Math.sqrt(grid.reduce((sum, r, i) => sum + (r - level) ** 2 * chances[i], 0) / all) };
}

// fitting is the level of the engine that a rated game is played against.
export const fitting = () => Math.min(Math.max(Math.round(estimate(games()).level), 1), levels);

// curve draws the ratings after each of the last games, as the points of a polyline in a box.
export function curve(list, width, height) {
	const last = Math.max(list.length - 40, 0), steps = Array.from({ length: list.length - last + 1 }, (_, i) => estimate(list.slice(0, last + i)).level);
	return steps.map((r, i) => `${(i / Math.max(steps.length - 1, 1) * width).toFixed(1)},${(height - r / (levels + 1) * height).toFixed(1)}`).join(' ');
}
