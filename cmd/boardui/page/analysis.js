// Analysis of the position shown: a hint, or the best lines. Its requests have an id of their
// own, so that they do not cancel the search of the engine to move.

import * as api from './api.js';
import * as store from './store.js';
import { state, changed, speak, over, atEnd, fail, keepScore } from './state.js';
import { sideAt, parsePos, cellName } from './game.js';
import { t } from './text.js';

let asking = null; // AbortController

// stopAnalysis cancels and removes the analysis.
export function stopAnalysis() {
	asking?.abort();
	asking = null;
	state.analysis = null;
	state.selected = 0;
}

// setAnalysing turns analysis on or off, for this and later positions.
export function setAnalysing(on) {
	state.analysing = on;
	stopAnalysis();
	if (on && !state.look?.over) analyse();
	changed();
}

// hint asks for the best move.
export function hint() {
	if (state.look?.over || (atEnd() && over())) return;
	analyse(true);
}

// analyse searches for the best lines, or for a hint.
export async function analyse(hint = false) {
	stopAnalysis();
	const { game, view } = state;
	const engine = hint ? hintEngine() : state.engines.length - 1;
	const mover = sideAt(view);
	const mine = state.analysis = { ply: view, lines: [], busy: true, hint };
	asking = new AbortController();
	changed();
	const read = (report) => {
		keepScore(view, mover, report.line === 1 ? report : {});
		const line = { cells: parsePos(report.pv || '', game.width, game.height) || [], report };
		if (line.cells.length) mine.lines[report.line - 1] = line;
	};
	try {
		const answer = await api.think({ ...game, id: game.id + '-a' }, game.moves.slice(0, view), {
			engine, millis: hint ? Math.max(game.millis, 1000) : 20_000, strength: 100, style: 0, lines: hint ? 1 : 4,
		}, asking.signal, (event) => {
			if (state.analysis !== mine || !event.report) return;
			read(event.report);
			changed();
		});
		if (state.analysis !== mine) return;
		mine.busy = false;
		if (answer.report?.scored) keepScore(view, mover, answer.report);
		const cells = parsePos(answer.moves, game.width, game.height);
		if (hint || !mine.lines.length) {
			const pv = parsePos(answer.report?.pv || '', game.width, game.height) || [];
			mine.lines = [{ cells: pv[0] === cells[0] ? pv : cells, report: answer.report || {} }];
		}
		if (hint) speak(t('hintIs', { m: cellName(game, cells[0]) }));
		store.keep(game);
		changed();
	} catch (error) {
		if (state.analysis === mine && error.name !== 'AbortError') {
			stopAnalysis();
			state.analysing = false;
			fail(error);
		}
	}
}

// hintEngine is an engine that plays, or the built-in one.
function hintEngine() {
	const playing = Math.max(state.game.players.black, state.game.players.white);
	return playing >= 0 ? playing : state.engines.length - 1;
}
