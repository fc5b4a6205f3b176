// The course of a game: moves of people and engines.

import * as api from './api.js';
import * as store from './store.js';
import { wait } from './dom.js';
import { knock } from './sound.js';
import { score } from './score.js';
import { analyze, freeAll, stopAnalysis, tool } from './analysis.js';
import { state, changed, speak, toast, refuse, refuseForbidden, over, blind, ownGame, atEnd, fail, cellsOf, unrate } from './state.js';
import {
	newGame, newId, presets, openings, inOpening, person, engineCount, dialsOf, sideAt, sideToMove, you, backTo, cellName,
} from './game.js';
import * as clock from './clock.js';
import { part, use } from './later.js';
import * as rating from './rating.js';
import * as swap2 from './swap2.js';
import * as tree from './tree.js';
import { t } from './text.js';
import { ask, halt, turn } from './thinking.js';

// keep stores the game with what its place in the list of games needs.
function keep() {
	const { game } = state;
	for (const color of ['black', 'white']) {
		const player = game.players[color];
		if (player !== person && !state.connected) continue; // who that is is not known
		game.names[color] = playerName(player) || game.info?.[color] || '';
		(game.ids ??= {})[color] = state.engines[player]?.id;
	}
	game.result = over() || game.line.at(-1).outcome || '';
	store.keep(game);
}

// playerName is the name of a player in lists and files: empty for a person without a name.
const playerName = (player) => player === person ? '' : state.engines[player]?.name || 'engine';

// ended reports whether no stone can follow the position shown, though the line may go on.
const ended = () => atEnd() && over() || state.look?.over;

// mayPlace reports whether a person is to move in the position shown.
export function mayPlace() {
	const { game } = state;
	if (ended()) return false;
	if (inOpening(game)) return Boolean(part('opens')?.mayPlace());
	if (game.swap) return swap2.placing() && atEnd();
	if (state.view < game.opening) return false; // the opening cannot be changed
	return game.players[sideAt(state.view)] === person && !(atEnd() && state.thinking);
}

// connect gets the list of engines and begins.
export async function connect() {
	halt();
	try {
		state.server = await api.about();
		state.engines = state.server.engines;
		state.connected = true;
	} catch (error) {
		if (error.code !== 'gone') return fail(error);
		toast(t('offline')); // games can be looked at, and people can play
		if (!state.engines.length) state.engines = [{ name: 'Tengen', own: true }];
	}
	return begin(state.game, state.view);
}

// look gets the look of a position.
const look = (game, moves) => api.look(game, moves, state.settings.threats);

// fit finds the engines of a game, by what it keeps of those of its colors: the program may have
// been started with others. One that is there no more is replaced.
function fit({ players, names, ids, swap }) {
	const { engines } = state, found = {};
	for (const color of ['black', 'white']) {
		const like = (i) => 2 * (engines[i].id === ids?.[color]) + (engines[i].name === names[color]);
		let best = Math.min(players[color], engines.length - 1);
		if (best < 0) continue;
		for (const i of engines.keys()) if (like(i) > like(best)) best = i;
		found[players[color]] = best;
	}
	for (const list of [players, swap?.seats, swap]) {
		for (const who of ['black', 'white', 'first', 'second', 'engine']) {
			if (list?.[who] >= 0) list[who] = found[list[who]] ?? Math.min(list[who], engines.length - 1);
		}
	}
}

// saveTime stores the time of the move that is thought about, which the game goes on with.
export function saveTime() {
	if (clock.save()) store.keep(state.game);
}

// begin shows a game after n of its moves. If it is no puzzle, none is shown any more, nor is a
// position edited.
export const begin = (game, n = game.moves.length) => {
	halt();
	if (game !== state.game) {
		saveTime();
		part('setup')?.end();
		moveBegan = Date.now();
	}
	if (state.connected) fit(game);
	if (!game.puzzle) state.puzzle = null;
	if (game.swap) state.analyzing = false; // there is no button to stop it
	tool.name = '';
	Object.assign(state, { game, view: n, look: null, end: null, told: {}, mark: '', wrong: null });
	stopAnalysis();
	return atEnd() ? proceed() : Promise.all([proceed(), refresh()]);
};

// proceed continues from the last position: it gets its look, unless seen is that, and lets
// an engine move.
export async function proceed(seen) {
	halt();
	const mine = turn, { game } = state;
	state.wrong = null;
	state.end = seen || null;
	if (atEnd()) state.look = state.end;
	keep();
	changed();
	if (!seen) {
		try {
			seen = await look(game, game.moves);
		} catch (error) {
			if (mine === turn) fail(error);
			return;
		}
		if (mine !== turn) return;
		state.end = seen;
		if (atEnd()) state.look = seen;
		changed();
	}
	runClock();
	placeEarly();
	if (mine !== turn) return;
	if (over()) {
		stopAnalysis();
		keep();
		rate();
		if (game.match) use('match', (match) => { if (mine === turn) match.ended(); });
		return;
	}
	if (atEnd() && follows()) analyze();
	if (inOpening(game)) return use('opens', (opens) => mine === turn && opens.next());
	if (game.swap) return swap2.next(mine);
	if (game.players[sideToMove(game)] !== person && !game.paused) return engineMove(mine);
	score();
}

// rate counts a rated game that is over.
function rate() {
	const { game } = state, mine = you(game);
	if (!game.rated || game.rated === 'counted' || !mine) return;
	game.rated = 'counted';
	rating.note({ date: game.date, level: game.level, points: over() === 'draw' ? 0.5 : over() === mine ? 1 : 0 });
	keep();
	changed();
}

// analyzeOn analyzes the position shown if the analysis follows to it and has not begun.
function analyzeOn() {
	if (follows() && !state.analysis && state.look && !state.look.over) analyze();
}

// follows reports whether the analysis follows to the position shown: not to that in which the only
// engine thinks.
function follows() {
	const { game } = state;
	const thinks = atEnd() && !over() && !game.paused && game.players[sideToMove(game)] !== person;
	return state.analyzing && !(thinks && engineCount(game) === 1);
}

// runClock lets the clock of the side to move run while the game goes on.
function runClock() {
	const { game } = state;
	if (over() || game.swap) clock.stop();
	else if (game.paused) clock.rest();
	else clock.run();
}

// rename gets the names of the engines again after one has answered for the first time: until
// then the server knows its command only.
async function rename(player) {
	const engine = state.engines[player];
	if (!engine || engine.own || engine.asked) return;
	engine.asked = true;
	try {
		const { engines } = await api.about();
		engines.forEach((e, i) => { if (state.engines[i]) state.engines[i].name = e.name; });
		keep();
		changed();
	} catch { /* the next request shows what is wrong */ }
}

async function engineMove(mine) {
	const { game } = state;
	const color = sideToMove(game);
	const answer = await ask(mine, game.players[color], color);
	if (!answer) return;
	const [cell] = cellsOf(answer.moves);
	state.told[color] = { report: answer.report, millis: answer.millis, move: cell };
	rename(game.players[color]);
	if (!clock.charge(color, answer.millis)) return flag(color);
	const n = game.moves.length + 1;
	follow(() => add(cell, answer.millis));
	speak(t('said', { who: t(color), m: cellName(game, cell) }));
	return proceed(game.moves.length === n ? answer.look : null); // the line may go on after a move that was there
}

// follow changes the game and, if the last position was shown, shows the new one, whose analysis
// begins anew.
export function follow(change) {
	const was = atEnd();
	change();
	if (!was) return;
	stopAnalysis();
	state.view = state.game.moves.length;
}

export function add(cell, millis = 0) {
	const { game } = state;
	tree.add(game, game.moves.length, cell, millis ? { took: millis } : {});
	moveBegan = Date.now();
	if (state.settings.sound) knock();
}

let moveBegan = Date.now();
let early = null; // {cell, node}, a stone placed before the look of the position after node arrived

// placeEarly places it if the position is shown still and known now.
function placeEarly() {
	const { cell, node } = early || {};
	if (!state.look || !node) return;
	early = null;
	if (node === state.game.line[state.view]) place(cell);
}

// place places a stone of the person to move, if that is legal.
export function place(cell) {
	const { game } = state;
	const color = sideAt(state.view);
	const name = cellName(game, cell);
	if (inOpening(game)) return part('opens')?.place(cell);
	if (ended()) return refuse(cell, t('isOver'));
	if (game.moves.indexOf(cell) >= 0 && game.moves.indexOf(cell) < state.view) return refuse(cell, t('taken', { m: name }));
	if (!mayPlace()) return refuse(cell, t(state.view < game.opening ? 'given' : 'notYours'));
	if (!state.look) {
		early = { cell, node: game.line[state.view] };
		return;
	}
	if (refuseForbidden(cell)) return;
	if (atEnd() && !clock.charge(color, clock.elapsed())) return flag(color);
	if (!game.swap && game.line[state.view].next.some((node) => node.cell === cell)) return again(cell);
	if (!atEnd()) {
		toast(t('varied'));
		tree.endAt(game, state.view);
	}
	const took = Date.now() - moveBegan;
	follow(() => add(cell, Math.min(took, 3600_000)));
	if (game.swap) game.opening = game.moves.length;
	speak(t('said', { who: t(color), m: name }));
	proceed();
}

// again shows the line in which cell has been played here before, up to the next move of a
// person.
function again(cell) {
	const { game } = state, before = game.line.at(-1);
	const node = tree.add(game, state.view, cell);
	if (!node.next[node.on] && node.next.length) tree.select(game, node);
	if (state.settings.sound) knock();
	let n = state.view + 1;
	while (n < game.moves.length && game.players[sideAt(n)] !== person) n++;
	speak(t('said', { who: t(sideAt(state.view)), m: cellName(game, cell) }));
	turnTo(n, before, n < game.moves.length);
}

// turnTo shows the position after n moves of the current line, which ended with the node before.
// If it has changed, an engine at its end waits until it is asked to move.
function turnTo(n, before, wait = true) {
	const { game } = state;
	if (game.line.at(-1) === before) return step(n);
	if (wait && game.players[sideToMove(game)] !== person) game.paused = true;
	return show(n);
}

// show shows the position after n moves of the current line, which has changed. An engine to
// move at its end moves if that is the position shown.
function show(n) {
	const { game } = state;
	halt();
	stopAnalysis();
	early = null;
	state.told = {};
	state.view = n;
	state.look = state.end = null;
	if (atEnd()) return proceed();
	keep();
	const mine = turn;
	look(game, game.moves).then((seen) => {
		if (mine !== turn) return;
		state.end = seen;
		runClock();
		keep();
		changed();
	}, (error) => { if (mine === turn) fail(error); });
	return refresh();
}

// go shows the position of a node of the tree; engines do not move there until they are
// asked to.
export function go(node) {
	const { game } = state;
	if (game.swap) return;
	const before = game.line.at(-1), n = tree.select(game, node);
	return n < 0 ? null : turnTo(n, before);
}

// mayAddLine reports whether moves can be added after the position shown.
export const mayAddLine = () => !(state.game.swap || state.puzzle || state.view < state.game.opening);

// addLine adds moves after the position shown as a variation, and shows its end.
export function addLine(cells) {
	const { node, first } = tree.extend(state.game, state.view, cells);
	go(node);
	toast(t('lineAdded'), first && (() => remove(first, false)), t('undo'));
}

// remove deletes a node of the tree with what follows it.
export function remove(node, noted = true) {
	const { game } = state;
	const at = tree.path(game, node);
	if (!at || at.length - 1 <= game.opening || game.swap || state.puzzle) return;
	if (noted) remember(t('removed'), game);
	tree.remove(game, node);
	if (game.players[sideToMove(game)] !== person) game.paused = true;
	show(Math.min(state.view, game.moves.length));
}

// promote moves the branch of a node of the tree up by one.
export function promote(node) {
	if (tree.promote(state.game, node)) keep();
	changed();
}

// mayTurn reports whether the board can be turned: what an answer or a puzzle says of cells would
// then be wrong.
export const mayTurn = () => !(state.game.swap || state.thinking || state.puzzle || part('review')?.busy());

// turnBoard turns or mirrors the board with its game.
export function turnBoard(mirrored) {
	const { game } = state;
	if (!mayTurn()) return;
	const moved = clock.turned(() => tree.turn(game, mirrored));
	if (tool.game === game.id) tool.blocked = tool.blocked.map(moved);
	if (kept?.id === game.id) tree.turn(kept, mirrored);
	show(state.view);
}

let kept = null; // a game as it was before what the last note can undo

// remember keeps the game for undoing what follows.
function remember(text, game = ownGame()) {
	clock.save();
	const before = kept = structuredClone(game);
	toast(text, () => bringBack(before));
}

// bringBack shows a game as it was before. What has been played in it since stays: beside that, or, as
// an opening has no variations, as a game of its own.
async function bringBack(before) {
	const own = ownGame();
	const game = own.id === before.id ? own : await wait(store.take(before.id)) || before;
	if (game.swap || before.swap) {
		if (!game.id || String(before.moves.slice(0, game.moves.length)) !== String(game.moves)) before.id = newId();
		return begin(before);
	}
	game.id ||= newId(); // another tab has it
	tree.graft(game, before.root);
	before.moves.forEach((cell, ply) => tree.add(game, ply, cell));
	return begin({ ...game, paused: before.paused }, before.moves.length);
}

// onlySteps reports whether taking back shows the move before and removes none: what is not on the
// board is never lost, and the moves of a file are no moves of who reads it.
function onlySteps() {
	const { game } = state;
	if (!atEnd()) return true;
	if (game.swap || game.resigned) return false;
	if (game.info && !engineCount(game)) return true;
	const n = backTo(game);
	return n >= 0 && tree.size(game.line[n + 1]) >= game.moves.length - n;
}

// takeBack takes back the last stone, and more until a person is to move.
export function takeBack() {
	const { game } = state;
	if (!mayTakeBack()) return;
	if (onlySteps()) return step(state.view - 1);
	if (inOpening(game)) return part('opens').takeBack();
	const n = game.swap ? game.moves.length - 1 : backTo(game);
	halt();
	stopAnalysis();
	if (game.rated) unrate();
	else if (!game.resigned) remember(t('tookBack'));
	if (engineCount(game) === 2) game.paused = true;
	tree.cut(game, n);
	if (game.swap) game.opening = n;
	state.view = n;
	state.told = {};
	proceed();
}

export const mayTakeBack = () => {
	const { game } = state;
	if (state.puzzle) return false;
	if (onlySteps()) return state.view > 0;
	if (inOpening(game)) return Boolean(part('opens')?.mayTakeBack());
	return game.swap ? swap2.placing() && game.moves.length > game.swap.least : backTo(game) >= 0;
};

// start begins a new game with the settings chosen in the dialog.
export function start(choice) {
	const old = ownGame();
	const game = newGame(old.root.next.length ? newId() : old.id, choice);
	freeAll(game);
	game.from = choice.from || '';
	if (choice.match) game.match = choice.match;
	if (choice.rated) game.rated = true;
	const preset = presets[game.from];
	if (preset) {
		game.width = preset.width;
		game.height = preset.height;
		game.root = tree.grow(preset.stones.map(([x, y]) => y * game.width + x));
		game.opening = preset.stones.length;
		tree.sync(game);
	}
	if (choice.stones) {
		game.root = tree.grow(choice.stones);
		tree.walk(game.root, (node, ply) => { if (ply) node.setup = true; });
		game.opening = choice.stones.length;
		tree.sync(game);
	}
	const engine = Math.max(game.players.black, game.players.white);
	if (game.from === 'swap2-me') game.swap = { step: 'place3', engine, least: 0 };
	if (game.from === 'swap2-engine') game.swap = { step: 'three', engine, least: 0 };
	clock.set(game, choice.clock || null);
	if (openings.includes(game.from)) {
		game.swap = { step: 'opens', rule: game.from, choices: [], seats: { first: game.players.black, second: game.players.white }, history: [], now: null };
	}
	if (old.moves.length > old.opening && !(choice.match?.number > 1)) remember(t('started'));
	state.analyzing = false;
	return begin(game);
}

// restart begins a game with the same settings, or the puzzle anew. A rated game that goes on is given
// up, and the next one is rated, too.
export function restart() {
	if (state.puzzle) return part('puzzles').again();
	const { game } = state, mine = you(game), rated = game.rated !== undefined && Boolean(mine);
	if (blind() && mine && game.moves.length > game.opening) {
		tree.resign(game, mine);
		rate();
	}
	const { width, height, rule, style, millis, second, players, from, crossed, clock, line, moves, opening } = game;
	const { black, white } = players, level = rated ? rating.fitting() : game.level;
	const stones = line[1]?.setup && moves.slice(0, opening);
	start({ width, height, rule, level, style, millis, second, ...(crossed ? { black: white, white: black } : players), from, clock, stones, rated });
}

// handOver swaps the sides.
export function handOver() {
	const { game } = state;
	if (game.swap) return;
	unrate();
	const { black, white } = game.players;
	game.players = { black: white, white: black };
	if (black === white) game.players[sideToMove(game)] = black === person ? state.engines.length - 1 : person;
	game.paused = false;
	toEnd();
}

// setPlayer sets who plays a color.
export function setPlayer(color, player) {
	const { game } = state;
	unrate();
	game.players[color] = player;
	if (!engineCount(game)) game.paused = false; // there is nothing to pause
	toEnd();
}

function toEnd() {
	state.view = state.game.moves.length;
	stopAnalysis();
	proceed();
}

export function pause() {
	state.game.paused = !state.game.paused;
	toEnd();
}

export function resign() {
	const { game } = state;
	if (over() || game.swap) return;
	halt();
	tree.resign(game, you(game) || sideToMove(game));
	state.view = game.moves.length;
	proceed();
}

// flag ends the game: a side's time is over.
export function flag(color) {
	const { game } = state;
	if (over()) return;
	halt();
	tree.resign(game, color, true);
	state.view = game.moves.length;
	proceed();
}

export function retry() {
	if (state.connected && state.wrong?.code !== 'gone') begin(state.game, state.view);
	else connect();
}

// set changes level, style or time of an engine, from the next search on: that of a color, or the one
// that the dials show.
export function set(key, value, color = state.dialed) {
	const game = ownGame();
	unrate(game);
	dialsOf(game, color)[key] = value;
	store.keep(game);
	changed();
}

// step shows the position after n moves.
export async function step(n) {
	const { game } = state;
	n = Math.min(Math.max(n, 0), game.moves.length);
	if (n === state.view) return;
	state.view = n;
	early = null;
	stopAnalysis();
	refresh();
}

// refresh gets the look of the position shown, which is analyzed then if that has not begun.
export async function refresh() {
	const { game, view } = state, node = game.line[view];
	const here = () => node === state.game.line[state.view];
	state.look = atEnd() && state.end ? state.end : null;
	changed();
	if (!state.look || state.settings.threats && !state.look.threats) {
		await new Promise((resolve) => setTimeout(resolve, 40)); // stepping quickly sends one request
		if (!here()) return;
		try {
			const seen = await look(game, game.moves.slice(0, view));
			if (!here()) return;
			state.look = seen;
			if (atEnd()) state.end = seen;
			changed();
			placeEarly();
			if (!here()) return;
		} catch (error) {
			if (here()) fail(error);
			return;
		}
	}
	analyzeOn();
	score();
}

// load replaces the game by one from a file or text, for two people, and shows the position
// after n moves.
export function load(game, n = game.moves.length, note = '') {
	remember([t('loaded', { n: tree.size(game.root) }), note].filter(Boolean).join(' · '));
	game.id = newId();
	return begin(game, n);
}

// endText returns the result of the game in words.
export function endText() {
	const { game } = state;
	const winner = over();
	if (!winner) return '';
	if (winner === 'draw') return t('draw');
	const mine = you(game);
	let why = '';
	if (game.resigned) why = ' · ' + t(game.line.at(-1).flagged ? 'byTime' : 'byResign', { who: t(game.resigned) });
	else if (!state.end.rows) why = ' · ' + t(state.end.foul ? 'e.forbidden' : 'noMove');
	if (mine) return t(mine === winner ? 'youWin' : 'youLose') + why;
	return t('won', { who: t(winner) }) + why;
}

// The server may be back, or the telephone awake, which ends all requests when it sleeps.
function back() {
	if (document.hidden) return;
	if (state.wrong?.code === 'gone') retry();
	else if (state.game) analyzeOn(); // of a position that nobody saw
}
window.addEventListener('online', back);
document.addEventListener('visibilitychange', back);
