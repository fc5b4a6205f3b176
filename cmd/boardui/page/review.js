// The review of a game: a background search of all its positions, the mistakes with what would
// have been better, a summary for both sides.
//
// What was found about a move stands in its node of the tree, as
// review: {class, loss, before, after, better}, with scores for the side that moved and better
// as cells; game.review is {moves, black, white}, the summary of the line with these cells.

import * as api from './api.js';
import { use } from './later.js';
import * as store from './store.js';
import { setAnalyzing } from './analysis.js';
import { $, element, fill } from './dom.js';
import { state, changed, speak, toast, fail, cellsOf, keepScore } from './state.js';
import { sideAt, cellName, names, chance, you } from './game.js';
import { step } from './play.js';
import { t } from './text.js';
import { signs } from './verdicts.js';

let running = null; // {game, control, done, total}

// isMistake reports whether the k-th move of the current line is one.
const isMistake = (k) => ['mistake', 'blunder'].includes(state.game.line[k]?.review?.class);

const mistakes = () => state.game.line.map((_, k) => k).filter(isMistake);

// current reports whether the summary is that of the line shown.
const current = (game) => String(game.review?.moves) === String(game.moves);

async function run() {
	const { game } = state, line = game.line.slice();
	setAnalyzing(false);
	running = { game, control: new AbortController(), done: 0, total: line.length };
	const mine = running;
	changed();
	try {
		const answer = await api.review({ ...game, id: game.id + '-r' }, game.moves, { opening: game.opening, effort: $('effort').value }, mine.control.signal, (event) => {
			if (event.done) Object.assign(mine, { done: event.done, total: event.total });
			changed();
		});
		if (running !== mine) return;
		running = null;
		if (state.game !== game) return;
		answer.moves.forEach((move, i) => {
			const node = line[i + 1];
			if (move.class === 'unjudged') return;
			node.review = { ...move, better: cellsOf(move.better) };
		});
		answer.scores.forEach((s, k) => {
			if (s && game.line[k] === line[k]) keepScore(k, sideAt(k), { scored: true, score: s.value, mate: s.mate || 0, depth: s.depth });
		});
		game.review = { moves: line.slice(1).map((node) => node.cell), black: answer.black, white: answer.white };
		store.keep(game);
		speak(t('reviewDone', { n: mistakes().length }));
	} catch (error) {
		if (running !== mine) return;
		running = null;
		if (error.name !== 'AbortError') fail(error);
	}
	changed();
}

function cancel() {
	const mine = running;
	running = null;
	mine?.control.abort();
	changed();
}

// go shows the next mistake, or the one before, of those in the line.
function go(forward) {
	const list = mistakes();
	const k = forward ? list.find((n) => n > state.view) : list.filter((n) => n < state.view).pop();
	if (k) step(k);
}

// practiced is the side whose mistakes are practiced: the person's, or the one chosen.
const practiced = () => you(state.game) || $('practice-side').value;

// practice makes puzzles of the positions before the mistakes of a side.
function practice() {
	const { game } = state, side = practiced();
	const list = mistakes().filter((k) => sideAt(k - 1) === side).map((k) => ({
		kind: 'mistake', width: game.width, height: game.height, rule: game.rule, moves: game.moves.slice(0, k - 1),
		played: game.moves[k - 1], review: game.line[k].review,
	}));
	if (!list.length) return toast(t('noMistakes'));
	use('puzzles', (puzzles) => puzzles.begin(list));
}

// busy reports whether a review is running.
export const busy = () => Boolean(running);

const percent = (x) => Math.round(100 * x) + '%';

// draw draws the panel.
export function draw() {
	const { game, view } = state;
	if (running && running.game !== game) cancel();
	$('review').hidden = $('effort-label').hidden = busy();
	$('review').disabled = game.moves.length <= game.opening || Boolean(game.swap) || Boolean(state.puzzle);
	$('review').textContent = t(current(game) ? 'reviewAgain' : 'review');
	$('review-busy').hidden = !busy();
	if (busy()) {
		$('review-progress').max = running.total;
		$('review-progress').value = running.done;
		$('review-count').textContent = t('reviewCount', { k: running.done, n: running.total });
	}
	const list = mistakes();
	const known = !busy() && current(game);
	$('summary').hidden = $('mistake-steps').hidden = !known;
	if (!known) {
		$('summary').replaceChildren();
		$('mistakes').replaceChildren();
		$('verdict').textContent = '';
		return;
	}
	$('mistake-prev').disabled = !list.some((k) => k < view);
	$('mistake-next').disabled = !list.some((k) => k > view);
	$('practice-side').hidden = Boolean(you(game));
	for (const option of $('practice-side').options) option.disabled = !list.some((k) => sideAt(k - 1) === option.value);
	if ($('practice-side').selectedOptions[0].disabled) $('practice-side').value = Array.from($('practice-side').options).find((o) => !o.disabled)?.value || 'black';
	$('practice').disabled = !list.some((k) => sideAt(k - 1) === practiced());
	const row = (key, of) => {
		const tr = element('tr');
		tr.append(element('th', t(key)), element('td', of(game.review.black)), element('td', of(game.review.white)));
		return tr;
	};
	const head = element('tr');
	head.append(element('td'), element('th', t('black')), element('th', t('white')));
	$('summary').replaceChildren(head, row('accuracy', (s) => s.moves ? s.accuracy + '%' : '–'), row('inaccuracies', (s) => s.count.inaccuracy || 0),
		row('mistakes', (s) => s.count.mistake || 0), row('blunders', (s) => s.count.blunder || 0), row('meanLoss', (s) => percent(s.loss)));
	const found = game.line[view].review;
	$('verdict').textContent = found ? t('class.' + found.class, { m: cellName(game, game.moves[view - 1]), p: percent(chance(found.before)), q: percent(chance(found.after)) }) +
		(found.better.length ? ' ' + t('betterIs', { m: names(game, found.better.slice(0, 6), ' ') }) : '') : '';
	fill($('mistakes'), game.line.flatMap((node, k) => {
		if (!signs[node.review?.class]) return [];
		const item = element('li'), b = element('button');
		b.append(element('b', signs[node.review.class], node.review.class), element('span', `${k}. ${cellName(game, node.cell)}`),
			element('small', '−' + percent(node.review.loss)), element('i', node.review.better.length ? cellName(game, node.review.better[0]) : ''));
		b.setAttribute('aria-current', k === view);
		b.setAttribute('aria-label', t('class.' + node.review.class, { m: `${k} ${cellName(game, node.cell)}`, p: percent(chance(node.review.before)), q: percent(chance(node.review.after)) }));
		b.addEventListener('click', () => step(k));
		item.append(b);
		return [item];
	}));
}

// listen connects the panel.
export function listen() {
	$('review').addEventListener('click', run);
	$('review-cancel').addEventListener('click', cancel);
	$('mistake-prev').addEventListener('click', () => go(false));
	$('mistake-next').addEventListener('click', () => go(true));
	$('practice').addEventListener('click', practice);
	$('practice-side').addEventListener('change', changed);
}
