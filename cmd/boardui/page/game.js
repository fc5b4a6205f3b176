// A game: the moves and the players. This module neither draws nor sends requests.
//
// A cell is a number, row * width + column, both from 0 at the top left. A color is
// 'black' or 'white'. A player is -1 for a person or the number of an engine.

import { grow, pass, sync } from './tree.js';

export const person = -1;

export const other = (color) => color === 'black' ? 'white' : 'black';

export function newId() {
	const bytes = crypto.getRandomValues(new Uint8Array(12));
	return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

// today is the date where the person is, as in 2026-11-25.
export function today() {
	const now = new Date();
	return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}

// newGame returns a game without moves, with its id in the store and in requests.
export function newGame(id, { width = 15, height = 15, rule = 0, black = person, white = 0, level = 2, style = 0, millis = 1000, second = null } = {}) {
	return sync({
		version: 3, id, width, height, rule, level, style, millis,
		players: { black, white },
		root: grow([]), // see tree.js, which also makes line, moves, took, scores and resigned
		second,         // {level, style, millis} of the white engine, if it has its own
		opening: 0,     // moves of the opening, which cannot be taken back
		paused: false,  // engines do not move
		swap: null,     // {step, engine, least} of swap2: place3, think3, choose3, place2, think5, choose5, three
		names: { black: '', white: '' }, // of engines, and of players in a file; ids of engines are added, see fit in play.js
		result: '',     // black, white, draw: who won the current line
		from: '',       // opening chosen, for restarting with it
		crossed: false, // the opening has given black to the player who began as white
		date: today(),
	});
}

// dialsOf returns the object with level, style and millis of the engine that plays a color:
// the game itself, or game.second for white if two engines play.
export function dialsOf(game, color) {
	if (color !== 'white' || engineCount(game) < 2) return game;
	return game.second ??= { level: game.level, style: game.style, millis: game.millis };
}

export const times = [100, 200, 500, 1000, 2000, 5000, 10000, 30000]; // milliseconds a move

// engineCount is how many engines play, 0 to 2.
export const engineCount = ({ players }) => (players.black !== person) + (players.white !== person);

// rules are those that can be chosen; a file or a link may have others.
export const rules = [0, 1, 4, 8, 9];

// presets are small boards with the stones that they begin with.
export const presets = {
	four: { width: 11, height: 11, stones: [[5, 5], [5, 6], [6, 5], [4, 5]] },
	seven: { width: 7, height: 7, stones: [] },
};

// The opening rules that the program leads through, see opens.js; the last four are made for renju
// on 15x15.
export const openings = ['swap', 'swap2', 'pro', 'long-pro', 'rif', 'soosyrv-8', 'taraguchi-10', 'yamaguchi'];
export const renjuOpenings = openings.slice(4);

// inOpening reports whether one of these is not over.
export const inOpening = (game) => game.swap?.step === 'opens';

export const sideAt = (ply) => ply % 2 === 0 ? 'black' : 'white';
export const sideToMove = (game) => sideAt(game.moves.length);

// alternate lists the cells of both colors as moves of a game: sides alternate, with passes where one
// has no stone left, until side is to move.
export function alternate(stones, side) {
	const left = { black: [...stones.black], white: [...stones.white] }, list = [];
	while (left.black.length || left.white.length || sideAt(list.length) !== side) list.push(left[sideAt(list.length)].shift() ?? pass);
	return list;
}

// you is the color of the only person at the board, or null.
export function you(game) {
	const { black, white } = game.players;
	if (black === person && white !== person) return 'black';
	if (white === person && black !== person) return 'white';
	return null;
}

// forWhom is the side for which scores are shown.
export const forWhom = (game) => you(game) || 'black';

// cellName is the name of a point for people: letters from the left, rows from the bottom.
export const cellName = (game, cell) => cell === pass ? '–' : String.fromCharCode(97 + cell % game.width) + (game.height - Math.floor(cell / game.width));

// names writes cells for people, as in h8i9, or with something between them; parseNames is its
// inverse, as parsePos is of pos.
export const names = (game, cells, between = '') => cells.map((c) => c === pass ? '-' : cellName(game, c)).join(between);
export const parseNames = (text, width, height) =>
	parsePos(text, width, height)?.map((c) => c === pass ? pass : (height - 1 - Math.floor(c / width)) * width + c % width) || null;

// pos writes cells in pos notation, as in h8i9, with rows from the top, for the server and for
// files; a pass is a minus sign.
export const pos = (game, cells) => cells.map((c) => c === pass ? '-' : String.fromCharCode(97 + c % game.width) + (Math.floor(c / game.width) + 1)).join('');

// parsePos is its inverse; white space and commas between moves are allowed. It returns null
// for other text and for cells off the board.
export function parsePos(text, width, height) {
	const cells = [];
	const rest = text.toLowerCase().replace(/(?:([a-z])(\d+)|-)[\s,;]*/g, (_, letter, digits) => {
		if (!letter) {
			cells.push(pass);
			return '';
		}
		const x = letter.charCodeAt(0) - 97, y = Number(digits) - 1;
		cells.push(x < width && y >= 0 && y < height ? y * width + x : NaN);
		return '';
	});
	return rest.trim() === '' && !cells.some(isNaN) ? cells : null;
}

// backTo is the number of stones left after taking back the last one, and more until a person
// is to move. It is -1 if there is nothing to take back.
export function backTo(game) {
	if (game.resigned) return game.moves.length;
	let n = game.moves.length - 1;
	const people = engineCount(game) < 2;
	while (people && n >= game.opening && game.players[sideAt(n)] !== person) n--;
	return n >= game.opening ? n : -1;
}

// resultText is the result of a game by who won it.
export const resultText = { black: '1–0', white: '0–1', draw: '½–½' };

// chance is the probability that a side with this score wins: 0.73 for 200.
export function chance(score) {
	if (!score) return 0.5;
	if (score.mate) return score.mate > 0 ? 1 : 0;
	return 1 / (1 + Math.exp(-score.value / 200));
}

// turned is the score from the other side.
export const turned = (score) => score && { value: -score.value, mate: -score.mate };

// winMoves counts the moves of the winner in the given plies, as all texts do.
export const winMoves = (plies) => Math.ceil(Math.abs(plies) / 2);

// scoreText writes a score: +34, −M6 for a loss in six moves of the winner.
export function scoreText(score) {
	if (!score) return '';
	if (score.mate) return (score.mate > 0 ? '+M' : '−M') + winMoves(score.mate);
	return score.value > 0 ? '+' + score.value : String(score.value).replace('-', '−');
}
