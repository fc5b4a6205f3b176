// The state of the page in one object. After every change the page is drawn from it.

import * as store from './store.js';
import { cellName, other, parsePos, sideAt } from './game.js';
import { overtakes } from './results.js';
import { setScore } from './tree.js';
import { t } from './text.js';

export const state = {
	game: null,
	view: 0,         // number of stones shown
	look: null,      // of the position shown, null until the server has answered
	end: null,       // the look of the last position
	engines: [],     // {name, id, own}; the id is the same in every run of the program
	server: null,    // what it allows: {threads, maxLines, local}, null before it has answered
	connected: false, // engines is known
	settings: store.settings(),
	thinking: null,  // {color, report, wait} while an engine thinks
	told: {},        // by color, about the last move of its engine: {report, millis, move}
	analysis: null,  // {ply, lines, report, busy, stopped, hint, wait, best, even} of the position shown, see analysis.js
	analyzing: false, // analyze every position shown
	dialed: 'black', // the color of the engine whose dials are shown, if two engines play
	mark: '',        // kind of the mark that a click sets in the panel of moves, or empty to place a stone
	selected: -1,    // line of the analysis shown on the board, -1 for none
	pinned: [],      // cells of a line that stay on the board until another position is shown
	puzzle: null,    // {list, at, status, note, home} while a puzzle is shown instead of the game home, see puzzles.js
	wrong: null,     // a Wrong after a failure, on which the game stops
};

export let changed = () => {};
export let speak = () => {};
export let toast = () => {};
export let refuse = () => {};

// listen sets the handlers: changed() draws, speak(text) is for screen readers,
// toast(text, undo) shows a note with an undo button, refuse(cell, text) shows that a cell
// cannot be played.
export function listen(h) {
	({ changed, speak, toast, refuse } = h);
}

// cellsOf reads points of the game shown, in pos notation; none if there is no text.
export const cellsOf = (text) => parsePos(text || '', state.game.width, state.game.height) || [];

// refuseForbidden refuses a cell that is forbidden to the side to move and returns whether it is.
export function refuseForbidden(cell) {
	const i = sideAt(state.view) === 'black' ? cellsOf(state.look?.forbidden).indexOf(cell) : -1;
	if (i >= 0) refuse(cell, t('forbidden', { m: cellName(state.game, cell) }) + t('stop') + t('foul.' + state.look.fouls[i]));
	return i >= 0;
}

// peek notes that the solution of a puzzle is looked at, or that a rated game has help.
export function peek() {
	if (state.puzzle) state.puzzle.peeked = true;
	else unrate();
}

// unrate ends the rating of a game that is not over.
export function unrate(game = state.game) {
	if (game.rated !== true || game === state.game && over()) return;
	game.rated = false;
	store.keep(game);
	toast(t('unrated'));
}

// set changes and stores a setting of the page.
export function set(key, value) {
	state.settings[key] = value;
	store.keepSetting(key, value);
}

// over returns the result of the game: black, white, draw or ''.
export function over() {
	if (state.game.resigned) return other(state.game.resigned);
	return state.end?.over || '';
}

// blind reports whether the page gives no help: a rated game goes on.
export const blind = () => state.game.rated === true && !over();

// ownGame is the person's game, which waits while a puzzle is shown.
export const ownGame = () => state.puzzle?.home || state.game;

// atEnd reports whether the last position is shown.
export const atEnd = () => state.view === state.game.moves.length;

// fail shows an error. The game stays as it is, and searches continue. Those of a program that was
// ended fail for that reason, which is shown.
export function fail(error) {
	if (error.name === 'AbortError') return;
	if (state.wrong?.code === 'ended') return changed();
	state.wrong = error;
	changed();
}

// wrongText returns the text of an error.
export function wrongText(error) {
	if (error.code === 'gone') return t('serverGone');
	const known = t('e.' + error.code);
	return known === 'e.' + error.code ? error.message : `${known} (${error.message})`;
}

// keepScore stores the score of the position after ply moves, with mover to move, unless a deeper
// search has found another.
export function keepScore(ply, mover, report) {
	const known = state.game.scores[ply];
	if (!report.scored || known && !overtakes(report, known)) return;
	const sign = mover === 'black' ? 1 : -1;
	setScore(state.game, ply, { value: sign * report.score, mate: sign * (report.mate || 0), depth: report.depth || 0 });
}
