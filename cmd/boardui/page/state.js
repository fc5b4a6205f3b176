// What the page knows, as one object: after every change the page is drawn from it anew.

import * as store from './store.js';
import { other } from './game.js';
import { t } from './text.js';

export const state = {
	game: null,
	view: 0,         // number of stones shown
	look: null,      // what the server sees in the position shown, null until it has answered
	end: null,       // the same of the last position
	engines: [],     // {name, own}
	connected: false, // the engines are known
	settings: store.settings(),
	thinking: null,  // {color, report, wait} while an engine has the move
	told: {},        // by color, the last words of its engine: {report, millis, move}
	analysis: null,  // {ply, lines, busy, hint}: what an engine says of the position shown
	analysing: false, // the position shown is to be analysed, whichever it is
	selected: 0,     // line of the analysis whose stones are shown
	wrong: null,     // a Wrong: something failed, and the game waits
};

export let changed = () => {};
export let speak = () => {};
export let toast = () => {};
export let refuse = () => {};

// listen sets who hears: changed() draws, speak(text) is for screen readers,
// toast(text, undo) shows a note with a way back, refuse(cell, text) says that a cell
// cannot be used.
export function listen(h) {
	({ changed, speak, toast, refuse } = h);
}

// over tells how the game ended: black, white, draw or ''.
export function over() {
	if (state.game.resigned) return other(state.game.resigned);
	return state.end?.over || '';
}

// atEnd tells whether the last position is shown.
export const atEnd = () => state.view === state.game.moves.length;

// fail shows what went wrong; the game stays as it is, and an engine that thinks goes on.
export function fail(error) {
	if (error.name === 'AbortError') return;
	state.wrong = error;
	changed();
	speak(wrongText(error));
}

// wrongText says what a failure is, for people.
export function wrongText(error) {
	if (error.code === 'gone') return t('serverGone');
	const known = t('e.' + error.code);
	return known === 'e.' + error.code ? error.message : `${known} (${error.message})`;
}

// strengthOf turns a level of 1 to 10 into the strength of 0 to 100 that engines know.
export const strengthOf = (level) => Math.round((level - 1) / 9 * 100);

// keepScore notes what an engine said of the position after ply moves, where mover is to move.
export function keepScore(ply, mover, report) {
	if (!report.scored) return;
	const sign = mover === 'black' ? 1 : -1;
	state.game.scores[ply] = { value: sign * report.score, mate: sign * (report.mate || 0) };
}
