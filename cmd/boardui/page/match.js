// Matches: several games between two engines, with colors in turn. Both games of a pair begin with
// the same three stones, unless an opening was chosen.
//
// game.match is {total, number, score, first, stones, counted}: number is that of this game, score has
// the points of both engines before it, and after it once counted; first is the color of the first
// one, stones are the cells that the pair begins with.

import { $ } from './dom.js';
import { state, changed, over, toast } from './state.js';
import { dialsOf, other } from './game.js';
import { start } from './play.js';
import * as store from './store.js';
import { t } from './text.js';

const pause = 2500; // milliseconds between two games

let timer = 0;

// stones are three cells of an opening: the middle, one beside it and one near that.
function stones(width, height) {
	const x = Math.floor(width / 2), y = Math.floor(height / 2), cells = [y * width + x];
	const near = (r) => (Math.floor(Math.random() * (2 * r + 1)) - r);
	for (const r of [1, 2]) {
		let cell;
		do cell = (y + near(r)) * width + x + near(r); while (cells.includes(cell));
		cells.push(cell);
	}
	return cells;
}

// begin begins a match of total games with the settings of the first.
export const begin = (choice, total) => play({ ...choice, match: { total, number: 1, score: [0, 0], first: 'black', stones: null } });

function play(choice) {
	const { match } = choice;
	if (!choice.from) match.stones = match.number % 2 ? stones(choice.width, choice.height) : match.stones;
	start({ ...choice, stones: match.stones });
}

// names are those of both engines, with their levels.
function names(game) {
	return [game.match.first, other(game.match.first)].map((color) => `${state.engines[game.players[color]]?.name || game.names[color]} (${t('levelOf', { n: dialsOf(game, color).level })})`);
}

const points = (n) => `${Math.floor(n) || (n % 1 ? '' : 0)}${n % 1 ? '½' : ''}`;

// ended counts the game that is over and begins the next one of the match.
export function ended() {
	const { game } = state, { match } = game;
	if (!match.counted) {
		match.counted = true;
		const winner = over(), share = winner === 'draw' ? 0.5 : winner === match.first ? 1 : 0;
		match.score = [match.score[0] + share, match.score[1] + 1 - share];
		store.keep(game);
		if (match.number === match.total) {
			const [a, b] = names(game), [p, q] = match.score.map(points);
			toast(t('matchOver', { a, b, p, q }));
		}
		changed();
	}
	clearTimeout(timer);
	if (match.number < match.total) timer = setTimeout(() => { if (state.game === game && over()) next(game); }, pause);
}

// next begins the next game, with the colors the other way around.
function next(game) {
	const { width, height, rule, from, clock, match, players } = game;
	const [black, white] = ['white', 'black'].map((color) => ({ ...dialsOf(game, color) })).map(({ level, style, millis }) => ({ level, style, millis }));
	play({
		width, height, rule, from, clock, black: players.white, white: players.black, ...black, second: white,
		match: { ...match, number: match.number + 1, first: other(match.first), counted: false },
	});
}

// draw shows the score of the match.
export function draw() {
	const { match } = state.game;
	$('match').hidden = !match;
	if (!match) return;
	const [a, b] = names(state.game), [p, q] = match.score.map(points);
	$('match').textContent = `${t('matchNow', { k: match.number, n: match.total })} · ${a} ${p} – ${q} ${b}`;
}
