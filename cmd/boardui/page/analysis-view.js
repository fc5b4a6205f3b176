// Draws the analysis: the list of lines, the marks on the board, the panel with its settings and
// the tree of a forced win.

import * as board from './board.js';
import * as analysis from './analysis.js';
import { $, element, options } from './dom.js';
import { addLine, mayAddLine } from './play.js';
import { state, changed, set, cellsOf } from './state.js';
import { sideAt, other, cellName, names, chance, scoreText, winMoves } from './game.js';
import { shown as shownPanel } from './tabs.js';
import { t } from './text.js';

// score is the score in a report, for the side to move.
const score = (report) => report?.scored ? { value: report.score, mate: report.mate || 0 } : null;

const percent = (s) => Math.round(100 * chance(s));

let path = []; // cells of the tree of a forced win that are shown on the board

// shownLine is the line whose stones are shown: that under the mouse, or the one selected.
const shownLine = () => state.analysis?.lines[state.selected];

// marks are the ghost stones and badges of the position shown.
export function marks() {
	const { analysis: a, view, game } = state;
	const ghosts = [], badges = [];
	const line = (cells) => cells.slice(0, 19).forEach((cell, i) => ghosts.push({ cell, color: sideAt(view + i), text: i + 1 }));
	if (analysis.proof?.ply === view && analysis.proof.answer) {
		const { answer, defend } = analysis.proof;
		if (path.length) line(path);
		else if (!defend && answer.line) line(cellsOf(answer.line));
		else for (const cell of cellsOf(answer.holds)) badges.push({ cell, text: '✓', best: true });
		if (ghosts.length || badges.length) return { ghosts, badges };
	}
	if (state.analyzing) for (const cell of analysis.blocked()) badges.push({ cell, text: '×', blocked: true });
	if (a?.ply !== view || a.stopped && shownPanel() === 'explorer') return { ghosts, badges };
	if (a.even) line(a.even);
	const shown = shownLine();
	if (shown) line(shown.cells);
	else line(state.pinned);
	const best = a.lines.find(Boolean);
	a.lines.forEach((one) => {
		const s = score(one.report), [cell] = one.cells;
		if (ghosts.some((g) => g.cell === cell)) return;
		badges.push({ cell, text: s ? (s.mate ? scoreText(s) : percent(s)) : '·', small: s && !s.mate ? scoreText(s) : '', best: one === best, old: a.stopped });
	});
	return { ghosts, badges };
}

// count writes a number of nodes in few characters.
export const count = (n) => n >= 1e9 ? (n / 1e9).toFixed(1) + 'G' : n >= 1e6 ? (n / 1e6).toFixed(1) + 'M' : n >= 1e4 ? Math.round(n / 1e3) + 'k' : String(n);

// draw draws the panel.
export function draw() {
	drawLines();
	drawPanel();
}

// pinnedTo reports whether the first n cells of a line are those on the board.
const pinnedTo = (cells, n) => state.pinned.length === n && state.pinned.every((cell, i) => cell === cells[i]);

// pin puts the first n cells of a line on the board, or takes them away.
function pin(cells, n) {
	state.pinned = pinnedTo(cells, n) ? [] : cells.slice(0, n);
	state.selected = -1;
	changed();
}

// waits reports whether an analysis waits for threads.
const waits = (a) => Boolean(a?.busy) && a.wait !== null && a.wait >= 0;

function drawLines() {
	const { analysis: a, game, view } = state;
	const list = $('lines');
	list.hidden = !a || a.ply !== view;
	$('pinned').hidden = list.hidden || !state.pinned.length;
	$('add-line').disabled = !mayAddLine();
	$('pinned-moves').textContent = names(game, state.pinned, ' ');
	if (list.hidden) return;
	list.title = t('scoreTitle', { who: t(sideAt(view)) });
	list.style.setProperty('--lines', state.analyzing ? analysis.wanted().lines : 1); // has room for them before they arrive
	const items = a.lines.flatMap((line, i) => { // skips lines that have not arrived yet
		const s = score(line.report);
		const item = element('li'), b = element('button');
		const cells = line.cells.slice(0, 14), text = names(game, cells, ' '), moves = element('span');
		moves.append(...cells.flatMap((cell, n) => { // each can be clicked
			const move = element('u', cellName(game, cell), pinnedTo(cells, n + 1) ? 'here' : '');
			move.dataset.n = n + 1;
			return n ? [' ', move] : [move];
		}));
		b.append(element('b', a.hint ? '★' : s ? percent(s) + '%' : String(i + 1)), element('i', scoreText(s)), moves, element('small', line.report.depth || ''));
		b.dataset.line = i;
		b.setAttribute('aria-label', a.hint ? t('hintIs', { m: text }) : t('lineLabel', { n: i + 1, s: scoreText(s), m: text }));
		b.setAttribute('aria-pressed', i === state.selected);
		item.append(b);
		return [item];
	});
	if (a.even) items.push(element('li', t('evenIs', { m: names(game, a.even, ' ') }), 'busy'));
	if (a.best && items.length && analysis.tool.only >= 0) {
		items.push(element('li', t('bestIs', { m: cellName(game, a.best.cells[0]), s: scoreText(score(a.best.report)) }), 'busy'));
	}
	// It has room for the lines that are wanted: what is below it must not move.
	if (waits(a) && items.length < analysis.wanted().lines) items.push(element('li', t('waitsForMoves'), 'busy'));
	else if (!items.length) items.push(element('li', t('analyzing'), 'busy'));
	const focus = document.activeElement?.dataset?.line;
	list.replaceChildren(...items);
	list.classList.toggle('stopped', a.stopped);
	if (focus !== undefined) list.querySelector(`[data-line="${focus}"]`)?.focus();
}

function drawPanel() {
	const { analysis: a, server, view } = state, { lines, threads } = analysis.wanted();
	options($('line-count'), server?.maxLines || 9, lines);
	options($('thread-count'), server?.threads || 1, threads);
	$('thread-count').parentElement.hidden = Boolean(server?.web);
	drawLimits();
	const ended = Boolean(state.look?.over || state.game.swap);
	for (const id of ['why', 'block', 'even', 'even2', 'solve', 'threatened', 'start']) $(id).disabled = ended;
	$('start').setAttribute('aria-pressed', state.analyzing);
	$('start').textContent = t(state.analyzing ? 'stopAnalysis' : 'startAnalysis');
	$('why').setAttribute('aria-pressed', analysis.tool.name === 'why' || analysis.tool.only >= 0);
	const { report } = a?.ply === view && a || {};
	const figures = report || state.analyzing ? [ // before they arrive they have room
		['depthWord', report?.deep > report?.depth ? `${report.depth}–${report.deep}` : report?.depth],
		['nodesWord', report && count(report.nodes || 0)],
		['speedWord', waits(a) ? t('waitsForMoves') : report?.speed && count(report.speed) + '/s'],
	] : [];
	$('figures').classList.toggle('stopped', Boolean(a?.stopped));
	$('figures').replaceChildren(...figures.flatMap(([key, value]) => [element('dt', t(key)), element('dd', value || '–')]));
	$('block').setAttribute('aria-pressed', analysis.tool.name === 'block');
	$('tool-text').textContent = analysis.tool.name === 'block' ? t('blockClick') : analysis.tool.name === 'why' ? t('whyClick') : analysis.tool.only >= 0 ? t('onlyNow', { m: cellName(state.game, analysis.tool.only) }) : report?.tables ? t('noNetwork') : '';
	drawProof();
}

// drawLimits fills the lists of the limits, of which the first entry is none.
function drawLimits() {
	const { settings, server } = state, none = t('noLimit');
	const list = (id, values, value, name = String) => {
		const stamp = none + values.join();
		if ($(id).dataset.stamp !== stamp) $(id).replaceChildren(new Option(none, 0), ...values.map((v) => new Option(name(v), v)));
		$(id).dataset.stamp = stamp;
		$(id).value = value || 0;
	};
	list('limit-depth', [6, 8, 10, 12, 14, 16, 18, 20, 25, 30, 40], settings.limitDepth);
	list('limit-nodes', [1e4, 1e5, 1e6, 1e7, 1e8, 1e9], settings.limitNodes, count);
	list('limit-memory', [16, 32, 64, 128, 256, 512, 1024, 2048, 4096].filter((n) => n < (server?.memory || 0)), settings.limitMemory);
}

let drawn = null; // what the tree shows

function drawProof() {
	const { proof } = analysis, { game, view } = state;
	const box = $('proof');
	const shown = proof?.ply === view ? proof : null;
	const key = shown && (shown.answer || 'busy');
	box.hidden = !shown;
	if (drawn === key && box.dataset.lang === document.documentElement.lang) return;
	drawn = key;
	path = [];
	box.dataset.lang = document.documentElement.lang;
	if (!shown) return box.replaceChildren();
	const head = element('p', shown.busy ? t('solving') : ''), close = element('button', shown.busy ? t('cancel') : t('close'), 'small');
	close.addEventListener('click', analysis.forgetProof);
	const top = element('div', undefined, 'headline');
	top.append(head, close);
	if (shown.busy) return box.replaceChildren(top);
	const { answer, defend } = shown;
	const winner = defend ? other(sideAt(view)) : sideAt(view);
	if (!answer.win) {
		head.textContent = t(answer.none ? (defend ? 'noThreat' : 'noWin') : (defend ? 'noThreatFound' : 'noWinFound'), { who: t(winner) });
		return box.replaceChildren(top);
	}
	const moves = winMoves(answer.tree.plies), known = defend ? null : game.scores[view]?.mate;
	const least = known && known > 0 === (winner === 'black') ? Math.min(winMoves(known), moves) : moves; // a search may know a shorter win
	head.textContent = t(defend ? 'threatens' : 'winsIn', { who: t(winner), n: least });
	const parts = [top];
	if (least < moves) parts.push(element('p', t('longerProof', { n: moves })));
	if (defend) {
		const holds = cellsOf(answer.holds);
		parts.push(element('p', holds.length ? t('holds', { m: names(game, holds, ' ') }) : t('noHold')));
	}
	const tree = element('ul', undefined, 'proof');
	tree.append(branch(answer.tree, [], defend));
	parts.push(tree);
	box.replaceChildren(...parts);
}

const cellOf = (name) => cellsOf(name)[0];

// branch is a move of the winner as an item of the tree, which is filled when it is opened.
// Shown are the cells before it; after a pass (defend) they are not drawn on the board.
function branch(node, before, defend, reply) {
	const { game } = state;
	const name = (text) => cellName(game, cellOf(text));
	const item = element('li');
	const here = [...before, cellOf(node.move)];
	const text = (reply === undefined ? '' : reply ? `${name(reply)} → ` : `${t('anyOther')} → `) + name(node.move);
	const show = () => { path = defend ? [] : here.filter((cell) => cell >= 0); changed(); };
	if (!node.else) {
		const b = element('button', text + (node.cut ? ' …' : ' ✓'), 'leaf');
		b.addEventListener('click', show);
		item.append(b);
		return item;
	}
	const details = element('details'), summary = element('summary', text);
	const rest = element('ul');
	details.append(summary, rest);
	details.addEventListener('toggle', () => {
		if (details.open && !rest.children.length) {
			for (const r of node.replies || []) rest.append(branch(r.next, [...here, cellOf(r.move)], defend, r.move));
			rest.append(branch(node.else, here, true, ''));
		}
		show();
	});
	item.append(details);
	return item;
}

// listen connects the panel and the board.
export function listen() {
	const setting = (id, key) => $(id).addEventListener('change', (event) => {
		set(key, Number(event.target.value));
		analysis.again();
		changed();
	});
	setting('line-count', 'lines');
	setting('thread-count', 'searchThreads');
	setting('limit-depth', 'limitDepth');
	setting('limit-nodes', 'limitNodes');
	setting('limit-memory', 'limitMemory');
	$('start').addEventListener('click', () => analysis.setAnalyzing(!state.analyzing));
	$('why').addEventListener('click', () => {
		const { tool } = analysis;
		if (tool.only >= 0) return analysis.why(-1);
		tool.name = tool.name === 'why' ? '' : 'why';
		changed();
	});
	$('block').addEventListener('click', () => {
		const on = analysis.tool.name !== 'block';
		if (on && !state.analyzing) analysis.setAnalyzing(true);
		analysis.tool.name = on ? 'block' : '';
		changed();
	});
	$('even').addEventListener('click', () => analysis.balance(1));
	$('even2').addEventListener('click', () => analysis.balance(2));
	$('solve').addEventListener('click', () => analysis.solve(false));
	$('threatened').addEventListener('click', () => analysis.solve(true));
	const choose = (button) => {
		if (button) select(Number(button.dataset.line));
	};
	$('add-line').addEventListener('click', () => addLine(state.pinned));
	const press = (target) => { // a move of a line, or the line
		const move = target.closest('u'), cells = state.analysis?.lines[target.closest('button')?.dataset.line]?.cells;
		if (move && cells) pin(cells, Number(move.dataset.n));
		else choose(target.closest('button'));
	};
	// Reports replace a button while it is pressed, after which there is no click. A finger presses when it is
	// lifted: until then it may be scrolling.
	let finger = null;
	$('lines').addEventListener('pointerdown', (event) => {
		if (event.pointerType === 'touch') finger = { target: event.target, id: event.pointerId };
		else if (!event.button) press(event.target);
	});
	document.addEventListener('pointerup', (event) => {
		if (finger?.id === event.pointerId) press(finger.target);
		finger = null;
	});
	document.addEventListener('pointercancel', () => { finger = null; });
	$('lines').addEventListener('click', (event) => { if (event.target.closest('u')) event.stopImmediatePropagation(); });
	$('lines').addEventListener('keydown', (event) => { // by keyboard a line is stepped through
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], { line } = event.target.dataset;
		if (!step || line === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		const { cells } = state.analysis.lines[line], mine = state.pinned.every((cell, i) => cell === cells[i]);
		state.pinned = cells.slice(0, Math.max(0, (mine ? state.pinned.length : 0) + step));
		state.selected = -1;
		changed();
	});
	$('lines').addEventListener('click', (event) => choose(event.target.closest('button')));
	$('lines').addEventListener('focusin', (event) => { if (!state.pinned.length) choose(event.target.closest('button')); }); // a press on a move gives the focus, too
	$('lines').addEventListener('pointerover', (event) => { if (event.pointerType === 'mouse' && !state.pinned.length) choose(event.target.closest('button')); });
	$('lines').addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') select(-1); });
	// The mouse on a point with a badge shows its line.
	const grid = $('board');
	grid.addEventListener('pointermove', (event) => {
		if (event.pointerType !== 'mouse' || !state.analysis || state.analysis.hint) return;
		const cell = board.cellUnder(event);
		select(state.analysis.lines.findIndex((line) => line?.cells[0] === cell));
	});
	grid.addEventListener('pointerleave', () => { if (state.analysis) select(-1); });
}

function select(i) {
	if (state.selected === i) return;
	state.selected = i;
	changed();
}
