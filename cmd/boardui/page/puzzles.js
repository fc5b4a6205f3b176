// Puzzles: positions with a forced win from the program's collection, checked by its solver, and
// positions from the person's own mistakes, judged by the engine. While one is shown, the
// person's game waits.
//
// A puzzle is {kind, width, height, rule, moves} with moves as cells; of kind win also plies, of
// kind mistake also played, the cell of the mistake, and review, see review.js.
//
// state.puzzle is {list, at, home, status, tries, busy, note, line, peeked}: status is open, shown
// or solved, tries counts wrong moves, busy says that a move is checked, note is what is said of
// the last one, line the solution of a mistake, peeked says that the solution has been seen, and noted
// are the numbers of the puzzles whose first attempt counts already.

import * as api from './api.js';
import { $, wait } from './dom.js';
import { freeAll, solve } from './analysis.js';
import { state, changed, toast, fail, ownGame, cellsOf } from './state.js';
import { newGame, person, rules, sideAt, parsePos, cellName, names, pos } from './game.js';
import { begin as show, place } from './play.js';
import { put } from './store.js';
import * as training from './training.js';
import { grow, sync, cut } from './tree.js';
import { t } from './text.js';

const solvedKey = 'tengen.puzzles';

// solved are the keys of the puzzles that have been solved.
function solved() {
	try { return JSON.parse(localStorage.getItem(solvedKey)) || {}; } catch { return {}; }
}

const keyOf = (p) => `${p.rule}.${p.width}.${pos(p, p.moves)}`;

function remember(p) {
	put(solvedKey, () => JSON.stringify({ ...solved(), [keyOf(p)]: 1 }));
}

let asking = null; // AbortController

// begin shows the first of a list of puzzles that is not solved.
export function begin(list, at = 0) {
	state.puzzle = { list, home: ownGame(), noted: new Set() };
	open(at);
	$('tab-puzzles').click();
}

function open(at) {
	const { puzzle } = state, p = puzzle.list[at];
	asking?.abort();
	state.analyzing = false;
	Object.assign(puzzle, { at, status: 'open', tries: 0, busy: false, note: '', line: [], peeked: false });
	const game = newGame(puzzle.home.id + '-p', { ...puzzle.home, width: p.width, height: p.height, rule: p.rule, black: person, white: person });
	game.puzzle = true; // not stored
	freeAll(game);
	game.root = grow(p.moves);
	game.opening = p.moves.length;
	show(sync(game));
}

// note counts the first attempt at the puzzle that is shown. One after a look at the solution is none.
function note(won) {
	const { puzzle } = state, { list, at, noted } = puzzle;
	if (noted.has(at)) return;
	noted.add(at);
	training.note(list[at], keyOf(list[at]), won);
}

// leave goes back to the person's game.
function leave() {
	asking?.abort();
	show(ownGame());
}

const color = () => sideAt(state.puzzle.list[state.puzzle.at].moves.length);

function task() {
	const p = state.puzzle.list[state.puzzle.at];
	return p.kind === 'win' ? t('puzzleWin', { who: t(color()) }) : t('puzzleMistake', { who: t(color()), m: cellName(p, p.played) });
}

// take takes the person's move if a puzzle is shown, and has it checked.
export function take(cell) {
	const { puzzle, game } = state;
	if (!puzzle) return false;
	if (puzzle.busy || puzzle.status === 'solved' || !state.look) return true; // a stone that waits for the look would not be checked
	const n = game.moves.length;
	if (state.view !== n || (n - game.opening) % 2) return true;
	place(cell);
	if (state.game.moves.length === n + 1) check(n);
	return true;
}

async function check(n) {
	const { puzzle, game } = state, p = puzzle.list[puzzle.at];
	const cell = game.moves[n], before = game.moves.slice(0, n), move = api.point(game, cell);
	puzzle.busy = true;
	puzzle.status = 'open';
	puzzle.note = t('checking');
	asking = new AbortController();
	changed();
	let good, won = true, reply = '';
	try {
		if (p.kind === 'win') {
			({ right: good, won, reply } = await api.attempt(game, before, { move }, asking.signal));
		} else if (cell === p.review.better[0]) {
			good = true;
		} else {
			const answer = await api.judge(game, before, { move, before: p.review.before, better: pos(game, p.review.better) }, asking.signal);
			good = ['best', 'good'].includes(answer.moves[0].class);
		}
	} catch (error) {
		if (state.puzzle === puzzle && error.name !== 'AbortError') {
			puzzle.busy = false;
			puzzle.note = '';
			cut(game, n);
			show(game);
			fail(error);
		}
		return;
	}
	if (state.puzzle !== puzzle || state.game !== game) return;
	puzzle.busy = false;
	puzzle.note = '';
	if (game.moves.length !== n + 1 || game.moves[n] !== cell) return changed(); // another line is shown meanwhile
	const name = cellName(game, cell);
	if (!good) {
		puzzle.tries++;
		if (!puzzle.peeked) note(false);
		const stop = cellsOf(reply);
		puzzle.note = t('puzzleWrong', { m: name }) + (stop.length ? ' ' + t('puzzleStop', { m: cellName(game, stop[0]) }) : '');
		cut(game, n);
		show(game);
	} else if (won) {
		puzzle.status = 'solved';
		puzzle.note = t('puzzleRight', { m: name });
		if (!puzzle.peeked) {
			remember(p);
			note(true);
		}
	} else {
		puzzle.note = t('puzzleOn', { m: name });
		Object.assign(state, { view: n + 1, look: state.end });
		place(cellsOf(reply)[0]);
	}
	changed();
}

// solution shows how the position is won, or what would have been better. A puzzle whose solution has
// been seen, here, by an analysis or in the explorer, does not count as solved before it is tried
// again.
function solution() {
	const { puzzle, game } = state, p = puzzle.list[puzzle.at];
	puzzle.status = 'shown';
	note(false);
	puzzle.peeked = true;
	if (p.kind === 'win') {
		solve(false);
	} else {
		puzzle.note = t('betterIs', { m: names(game, p.review.better.slice(0, 6), ' ') });
		puzzle.line = p.review.better;
	}
	changed();
}

// line is the line of stones that the puzzle shows on the board, in its position.
export const line = () => state.puzzle?.status === 'shown' && state.view === state.game.opening && state.puzzle.line || [];

async function load() {
	const rule = Number($('puzzle-rule').value), level = Number($('puzzle-level').value) || training.fitting();
	try {
		const { puzzles } = await wait(api.puzzles(state.game, { rule, level }));
		const list = puzzles.map((p) => ({ kind: 'win', ...p, moves: parsePos(p.moves, p.width, p.height) }));
		if (!list.length) return toast(t('noPuzzles'));
		const done = solved();
		begin(list, Math.max(list.findIndex((p) => !done[keyOf(p)]), 0));
	} catch (error) {
		fail(error);
	}
}

// missed are the puzzles that were not solved at the first attempt, the last first.
const missed = () => Object.values(training.record().missed).reverse();

const right = () => state.puzzle.status === 'solved';
const wrong = () => state.puzzle.tries > 0 && state.puzzle.status === 'open' && !state.puzzle.busy;

// next shows the next puzzle, again the same anew.
export const next = () => open(state.puzzle.at + 1);
export const again = () => open(state.puzzle.at);

// banner is what the line above the board says: {kind, text, buttons}.
export function banner() {
	const { list, at, note } = state.puzzle;
	return {
		kind: right() ? 'won' : wrong() ? 'lost' : 'swap', text: note || task(),
		buttons: right() && at < list.length - 1 ? [['puzzleNext', 'puzzleNext']] : [],
	};
}

// draw draws the panel.
export function draw() {
	const { puzzle } = state;
	$('puzzle-choice').hidden = Boolean(puzzle);
	$('puzzle').hidden = !puzzle;
	for (const option of $('puzzle-rule').options) option.text = t('rule' + option.value);
	$('puzzle-level').options[0].text = t('puzzleFit');
	const { rating, count, streak, best } = training.record();
	$('puzzle-record').textContent = count ? t('puzzleRecord', { r: rating, s: streak, b: best }) : '';
	$('puzzle-missed').textContent = t('puzzleMissed', { n: missed().length });
	$('puzzle-missed').hidden = !missed().length;
	if (!puzzle) return;
	const done = solved(), p = puzzle.list[puzzle.at];
	$('puzzle-title').textContent = t('puzzleOf', { k: puzzle.at + 1, n: puzzle.list.length }) + (done[keyOf(p)] ? ' ✓' : '');
	$('puzzle-task').textContent = task();
	$('puzzle-note').textContent = puzzle.note;
	$('puzzle-note').className = right() ? 'right' : wrong() ? 'wrong' : '';
	$('puzzle-prev').disabled = puzzle.at === 0;
	$('puzzle-next').disabled = puzzle.at === puzzle.list.length - 1;
	$('puzzle-next').classList.toggle('strong', puzzle.status !== 'open');
	$('puzzle-solution').disabled = puzzle.busy || puzzle.status === 'solved';
}

// listen connects the panel.
export function listen() {
	$('puzzle-rule').replaceChildren(...rules.map((rule) => new Option('', rule)));
	$('puzzle-level').replaceChildren(new Option('', 0), ...[1, 2, 3, 4, 5].map((level) => new Option(level, level)));
	$('puzzle-missed').addEventListener('click', () => begin(missed()));
	$('puzzle-start').addEventListener('click', load);
	$('puzzle-prev').addEventListener('click', () => open(state.puzzle.at - 1));
	$('puzzle-next').addEventListener('click', next);
	$('puzzle-solution').addEventListener('click', solution);
	$('puzzle-again').addEventListener('click', again);
	$('puzzle-leave').addEventListener('click', leave);
}
