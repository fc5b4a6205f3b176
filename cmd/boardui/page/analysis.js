// Analysis of the position shown: a hint, the best lines until it is stopped, one move alone,
// forced wins. Its requests have ids of their own, so that they do not cancel the search of
// the engine to move.

import * as api from './api.js';
import * as store from './store.js';
import { state, changed, speak, refuse, over, atEnd, fail, keepScore, cellsOf, peek, refuseForbidden } from './state.js';
import { sideAt, cellName, names, pos } from './game.js';
import * as results from './results.js';
import { shown } from './tabs.js';
import { t } from './text.js';

let asking = null;  // AbortController
let solving = null; // AbortController

// tool is what the next click on the board means: why, block, or empty to place a stone; only is
// the move that is searched alone, blocked are those that are left out, in the game of that id.
export const tool = { name: '', only: -1, blocked: [], game: '' };

// blocked are the cells that the analysis of the game shown leaves out.
export const blocked = () => tool.game === state.game.id ? tool.blocked : [];

// freeAll lets the analysis of a game that begins search all moves: its id may have been that of another.
export function freeAll(game) {
	if (tool.game === game.id) tool.blocked = [];
}

// proof is the last answer of the solver: {ply, busy, defend, answer}, or null.
export let proof = null;

// wanted are the settings of the analysis, within what the server allows.
export function wanted() {
	const { settings, server } = state, most = server?.threads || 1;
	return {
		lines: Math.min(Math.max(settings.lines || 4, 1), server?.maxLines || 9),
		threads: Math.min(Math.max(settings.searchThreads || most, 1), most),
		depth: settings.limitDepth || 0, nodes: settings.limitNodes || 0, memory: Math.min(settings.limitMemory || 0, server?.memory || 0),
	};
}

// stopAnalysis cancels and removes the analysis: another position is shown.
export function stopAnalysis() {
	asking?.abort();
	solving?.abort();
	asking = solving = proof = null;
	state.analysis = null;
	state.selected = -1;
	state.pinned = [];
	tool.only = -1;
}

// endAnalyzing ends analysis, for this and later positions, and its tool. What it has found of this one
// stays.
function endAnalyzing() {
	const { analysis } = state;
	const kept = analysis?.lines.some(Boolean) && !analysis.hint ? analysis : null, { pinned } = state;
	stopAnalysis();
	state.analyzing = false;
	tool.name = '';
	if (kept) Object.assign(state, { pinned, analysis: { ...kept, busy: false, stopped: true, wait: null } });
}

// setAnalyzing turns analysis on or off, for this and later positions.
export function setAnalyzing(on) {
	endAnalyzing();
	state.analyzing = on;
	if (on && state.look && !state.look.over) analyze(); // else it begins when the look arrives
	changed();
}

// leaveTool ends the tool that is active and returns whether there was one.
export function leaveTool() {
	if (!tool.name) return false;
	tool.name = '';
	changed();
	return true;
}

// useTool takes a click on the board if a tool is active and its panel is shown.
export function useTool(cell) {
	const { game, view } = state;
	if (!tool.name || shown() !== 'analysis') return false;
	const at = game.moves.indexOf(cell);
	if (tool.name === 'block') {
		const list = blocked(), was = list.includes(cell), m = cellName(game, cell);
		if (!was && at >= 0 && at < view) {
			refuse(cell, t('taken', { m }));
			return true;
		}
		Object.assign(tool, { game: game.id, blocked: was ? list.filter((other) => other !== cell) : [...list, cell] });
		speak(t(was ? 'freeNow' : 'blockedNow', { m }));
		again();
		changed();
		return true;
	}
	if (refuseForbidden(cell)) return true;
	tool.name = '';
	if (at >= 0 && at < view || state.look?.over) {
		changed();
		return true;
	}
	why(cell);
	return true;
}

// why searches one move alone; -1 goes back to all moves.
export function why(cell) {
	const best = state.analysis?.lines.find(Boolean);
	stopAnalysis();
	state.analyzing = true;
	tool.only = cell;
	analyze(best);
}

// again starts the analysis anew after its settings have changed.
export function again() {
	if (!state.analyzing || !state.analysis || state.analysis.hint) return;
	const { only } = tool;
	stopAnalysis();
	tool.only = only;
	analyze();
}

// positionShown is what a request says of it, with an id of its own.
const positionShown = (suffix) => [{ ...state.game, id: state.game.id + suffix }, state.game.moves.slice(0, state.view)];

// begin begins an analysis of the position shown. With a key it takes up what is known of that.
function begin(hint, key = '') {
	asking?.abort();
	asking = new AbortController();
	state.selected = -1;
	peek();
	const known = key && results.known(key);
	const lines = known ? known.lines.slice(0, wanted().lines) : [];
	return state.analysis = { ply: state.view, key, lines, report: known?.report, known, found: { lines: [], report: null }, busy: true, stopped: false, hint, wait: null };
}

// add adds a report to an analysis. Until the search has found as much as is known, that stays, with
// what the search has of other moves.
function add(mine, report) {
	const { game } = state, { found } = mine;
	if (!report.line) return;
	mine.wait = null;
	if (report.line === 1) {
		if (found.report?.depth > report.depth) { // it gave its threads to another, and has begun anew
			if (!mine.known) mine.known = { ...found };
			found.lines = [];
		}
		found.report = { ...found.report, ...report };
		if (!mine.limited) keepScore(mine.ply, sideAt(mine.ply), report); // else it is not that of the position
	}
	const cells = cellsOf(report.pv);
	if (cells.length) found.lines[report.line - 1] = { cells, report };
	if (mine.known && results.overtakes(found.report, mine.known.report)) mine.known = null;
	if (mine.known) {
		const { lines } = mine.known, first = new Set(lines.map((line) => line?.cells[0]));
		mine.lines = [...lines, ...found.lines.filter((line) => line && !first.has(line.cells[0]))].slice(0, wanted().lines);
		mine.report = { ...mine.known.report, speed: report.speed || mine.report.speed };
		return;
	}
	Object.assign(mine, found);
	if (mine.key) results.keep(mine.key, { lines: found.lines.slice(), report: found.report });
}

// hint asks for the best move.
export async function hint() {
	if (state.look?.over || (atEnd() && over())) return;
	endAnalyzing();
	const { game, view } = state;
	const mine = begin(true);
	changed();
	try {
		const answer = await api.think(...positionShown('-a'), {
			engine: hintEngine(), millis: Math.max(game.millis, 1000), strength: 100, style: 0, lines: 1,
		}, asking.signal, heard(mine));
		if (state.analysis !== mine) return;
		mine.busy = false;
		if (answer.report?.scored) keepScore(view, sideAt(view), answer.report);
		const cells = cellsOf(answer.moves);
		const pv = cellsOf(answer.report?.pv);
		mine.lines = [{ cells: pv[0] === cells[0] ? pv : cells, report: answer.report || {} }];
		speak(t('hintIs', { m: cellName(game, cells[0]) }));
		store.keep(game);
		changed();
	} catch (error) {
		ended(mine, error);
	}
}

// heard takes the events of the search of mine while it runs.
const heard = (mine) => (event) => {
	if (state.analysis !== mine) return;
	if (event.wait !== undefined) mine.wait = event.wait;
	if (event.report) add(mine, event.report);
	changed();
};

// analyze searches for the best lines until it is stopped. With a single move to search, best
// is the line of the best move, if it is known.
export async function analyze(best) {
	if (document.hidden) return; // see below
	const { game } = state, limits = { only: tool.only < 0 ? '' : api.point(game, tool.only), blocked: pos(game, blocked()) };
	const limit = limits.only ? '=' + limits.only : limits.blocked; // one move alone may be one that is left out
	const mine = begin(false, results.keyOf(game, state.view, limit));
	Object.assign(mine, { best, limited: limit !== '' });
	changed();
	try {
		const answer = await api.analyze(...positionShown('-a'), { ...wanted(), ...limits }, asking.signal, heard(mine));
		if (state.analysis !== mine) return;
		mine.busy = false;
		if (answer.report) add(mine, { line: 1, ...answer.report });
		if (!mine.lines.length) mine.lines = [{ cells: cellsOf(answer.moves), report: answer.report || {} }];
		store.keep(game);
		changed();
	} catch (error) {
		ended(mine, error);
	}
}

function ended(mine, error) {
	if (state.analysis !== mine || error.name === 'AbortError') return;
	endAnalyzing();
	fail(error);
}

// balance looks for one move that leaves the game even, or for two.
export async function balance(n) {
	endAnalyzing();
	const { game } = state;
	const mine = begin(false);
	changed();
	try {
		const answer = await api.analyze(...positionShown('-a'), { ...wanted(), lines: 1, balance: n }, asking.signal, () => {});
		if (state.analysis !== mine) return;
		mine.busy = false;
		mine.even = cellsOf(answer.moves);
		speak(t('evenIs', { m: names(game, mine.even, ' ') }));
		changed();
	} catch (error) {
		ended(mine, error);
	}
}

// solve looks for a forced win of the side to move, or with defend for what the other side
// threatens and the moves that hold.
export async function solve(defend) {
	const { view } = state;
	solving?.abort();
	solving = new AbortController();
	peek();
	const mine = proof = { ply: view, busy: true, defend, answer: null };
	changed();
	try {
		const answer = await api.solve(...positionShown('-v'), { defend, millis: 20_000 }, solving.signal);
		if (proof !== mine) return;
		mine.busy = false;
		mine.answer = answer;
		changed();
	} catch (error) {
		if (proof !== mine || error.name === 'AbortError') return;
		proof = null;
		fail(error);
	}
}

// forgetProof removes the answer of the solver, or ends its work.
export function forgetProof() {
	solving?.abort();
	proof = null;
	changed();
}

// hintEngine is an engine that plays, or the built-in one.
function hintEngine() {
	const playing = Math.max(state.game.players.black, state.game.players.white);
	return playing >= 0 ? playing : state.engines.length - 1;
}

// A tab that nobody sees leaves its threads to others.
document.addEventListener('visibilitychange', () => {
	if (!state.analyzing || !state.game) return;
	if (document.hidden) {
		asking?.abort();
		asking = null;
		if (state.analysis) state.analysis.busy = false;
	} else if (state.analysis && state.look && !state.look.over) { // else none was stopped
		analyze();
	}
});
