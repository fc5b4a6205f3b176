// The opening explorer: what the database of the program knows of the moves from the position
// shown, and the names of openings.

import * as api from './api.js';
import * as tabs from './tabs.js';
import { $, element } from './dom.js';
import { state, changed, toast, fail, wrongText, cellsOf, peek } from './state.js';
import { cellName, chance, pos, winMoves } from './game.js';
import { part } from './later.js';
import { place } from './play.js';
import { t } from './text.js';

let known = null; // {key, answer} of the last answer
let asked = '';   // key of the last request

const keyOf = (game, view) => `${game.rule}.${game.width}.${game.height}.${pos(game, game.moves.slice(0, view))}`;

// rank orders moves: wins first, then by score, which is 0 for a draw, losses last.
function rank({ result, plies = 0, scored, score = 0 }) {
	if (result === 'win') return 1e5 - plies;
	if (result === 'loss') return plies - 1e5;
	return scored || result ? 2e4 + score : 1e4;
}

// number is that of a renju opening, as in 13D Yusei.
const number = (m) => parseInt(m.name, 10) || 0;

async function ask(key) {
	const { game, view } = state;
	asked = key;
	await new Promise((resolve) => setTimeout(resolve, 60)); // stepping quickly sends one request
	if (asked !== key) return;
	try {
		const answer = await api.explore(game, game.moves.slice(0, view));
		if (asked !== key) return;
		answer.moves.sort((a, b) => rank(b) - rank(a) || number(a) - number(b));
		known = { key, answer };
		if (answer.reading !== undefined) setTimeout(() => known?.answer === answer && keyOf(state.game, state.view) === key && ask(key), 500);
	} catch {
		known = { key, answer: null }; // the next request shows what is wrong
	}
	changed();
}

// forget lets the next drawing ask again.
function forget() {
	known = null;
	asked = '';
}

// result is what is known of a move, in a few characters.
function result(m) {
	if (m.result) return t('result.' + m.result, { n: m.plies ? winMoves(m.plies) : '' }).trim();
	return m.scored ? Math.round(100 * chance({ value: m.score })) + '%' : '';
}

// marks are the moves on the board, if the panel is shown.
export function marks() {
	if (tabs.shown() !== 'explorer' || state.analysis && !state.analysis.stopped || !known?.answer || known.key !== keyOf(state.game, state.view)) return [];
	return known.answer.moves.slice(0, 40).map((m, i) => ({
		cell: cellsOf(m.move)[0], best: i === 0 && (m.scored || m.result === 'win'),
		text: m.result ? { win: '+', draw: '=', loss: '−' }[m.result] : m.scored ? result(m).replace('%', '') : m.name ? m.name.split(' ')[0] : '·',
	}));
}

// draw draws the panel.
export function draw() {
	if (tabs.shown() !== 'explorer') return;
	const { game, view } = state, key = keyOf(game, view);
	if (known?.key !== key && asked !== key && state.connected) ask(key);
	const answer = known?.key === key ? known.answer : null;
	$('opening-name').textContent = answer?.name ? `${answer.code} ${answer.name} ${answer.kanji || ''}` : t(answer && view >= 3 ? 'noName' : 'openingMoves');
	$('opening-comment').textContent = answer?.comment || '';
	$('known-count').textContent = answer ? [
		t('knownCount', { n: answer.known }), answer.reading !== undefined && t('knownReading', { n: answer.reading }),
		answer.unread && t('badFile') + t('colon') + answer.unread, answer.unsaved && `${t('e.unsaved')} (${answer.unsaved})`,
	].filter(Boolean).join(' · ') : '';
	const name = (m) => cellName(game, cellsOf(m.move)[0]);
	const list = answer?.moves || [];
	if (list.length) peek();
	const stamp = key + list.length + '.' + answer?.known + document.documentElement.lang + Boolean(answer);
	if ($('moves-known').dataset.stamp === stamp) return;
	$('moves-known').dataset.stamp = stamp;
	$('moves-known').replaceChildren(...list.map((m) => {
		const item = element('li'), b = element('button');
		b.append(element('b', name(m)), element('i', result(m)), element('span', [m.name, m.kanji, m.text].filter(Boolean).join(' ')), element('small', m.depth || ''));
		b.addEventListener('click', () => {
			const [cell] = cellsOf(m.move);
			part('setup')?.active() || part('puzzles')?.take(cell) || place(cell);
		});
		item.append(b);
		return item;
	}));
	$('nothing-known').textContent = t(answer?.closed ? 'notKept' : 'nothingKnown');
	$('nothing-known').hidden = !answer || list.length > 0 || answer.reading !== undefined;
}

// listen connects the panel.
export function listen() {
	$('feed').addEventListener('click', () => $('feed-file').click());
	$('feed-file').addEventListener('change', async (event) => {
		const [file] = event.target.files;
		event.target.value = '';
		if (!file) return;
		try {
			if (file.size > 16 << 20) throw new api.Wrong('big', file.name);
			const { added } = await api.feed(state.game, file);
			forget();
			toast(t('fed', { n: added }));
			changed();
		} catch (error) {
			if (error.code === 'gone') return fail(error);
			if (error.code !== 'unsaved') return toast(t('badFile') + t('colon') + (error.code === 'format' ? error.message : wrongText(error)));
			forget(); // the positions are there
			toast(wrongText(error));
			changed();
		}
	});
	$('known-again').addEventListener('click', () => { forget(); changed(); });
}
