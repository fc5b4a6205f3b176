// The panel of moves: the tree as a drawing, the continuations of the position shown, its
// comment, and marks on the board; and the moves as text below the board.

import * as store from './store.js';
import { $, element, fill } from './dom.js';
import { state, changed, speak } from './state.js';
import { cellName, sideAt } from './game.js';
import { go, promote, remove, step } from './play.js';
import { shown } from './tabs.js';
import * as tree from './tree.js';
import { t } from './text.js';

const gap = 26;    // pixels between nodes
const most = 500;  // nodes drawn
const before = 40; // of these, on the line before the position shown in a larger tree
const kinds = ['triangle', 'square', 'circle', 'cross', 'label'];

const here = () => state.game.line[state.view];

// useTool takes a click on the board if it sets a mark.
export function useTool(cell) {
	const { mark } = state;
	if (!mark || shown() !== 'moves') return false;
	const node = here(), marks = node.marks || [];
	const old = marks.find((m) => m.cell === cell);
	const rest = marks.filter((m) => m.cell !== cell);
	if (old?.kind !== mark) {
		const used = new Set(rest.map((m) => m.text));
		const letter = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((c) => !used.has(c)) || '?';
		rest.push(mark === 'label' ? { cell, kind: mark, text: letter } : { cell, kind: mark });
	}
	node.marks = rest;
	store.keep(state.game);
	changed();
	return true;
}

// leaveTool lets a click place a stone again.
export function leaveTool() {
	if (!state.mark) return;
	state.mark = '';
	speak(t('markOff'));
	changed();
}

// marks are those of the position shown.
export const marks = () => here()?.marks || [];

// layout places the nodes below a root: {node, ply, x, y, from} with x and y in units of the
// drawing. Every branch gets the first row below its own where it fits.
function layout(root, ply) {
	const placed = [], rows = []; // rows[y] lists the intervals taken
	const fits = (y, from, to) => !(rows[y] || []).some(([a, b]) => from <= b && to >= a);
	const branch = (node, x, above, from) => {
		const line = [];
		for (let at = node; at && placed.length + line.length < most; [at] = at.next) line.push(at);
		let y = above;
		while (!fits(y, x - 1, x + line.length - 1)) y++;
		(rows[y] ??= []).push([x - 1, x + line.length - 1]);
		const mine = line.map((at, i) => ({ node: at, ply: ply + x + i, x: x + i, y, from: null }));
		mine.forEach((place, i) => { place.from = i ? mine[i - 1] : from; });
		placed.push(...mine);
		for (let i = line.length - 1; i >= 0; i--) {
			for (const other of line[i].next.slice(1)) {
				if (placed.length < most) branch(other, x + i + 1, y + 1, mine[i]);
			}
		}
	};
	branch(root, 0, 0, null);
	return placed;
}

let drawn = { root: null, text: '' };
let places = [];

function drawTree() {
	const { game, view } = state;
	const whole = tree.size(game.root) <= most;
	const start = whole ? 0 : Math.max(view - before, 0);
	places = layout(game.line[start], start);
	const line = new Set(game.line);
	let edges = '', nodes = '', right = 0, bottom = 0;
	for (const { node, ply, x, y, from } of places) {
		const px = (x + 0.6) * gap, py = (y + 0.6) * gap;
		right = Math.max(right, px);
		bottom = Math.max(bottom, py);
		if (from) {
			const fx = (from.x + 0.6) * gap, fy = (from.y + 0.6) * gap;
			const on = line.has(node) ? ' class="on"' : '';
			edges += y === from.y ? `<path${on} d="M${fx} ${fy}H${px}"/>` : `<path${on} d="M${fx} ${fy}V${py - gap / 2}L${fx + gap / 2} ${py}H${px}"/>`;
		}
		const color = node.cell === undefined ? 'root' : node.cell === tree.pass ? 'pass' : sideAt(ply - 1);
		nodes += `<g class="${color}${node === here() ? ' here' : ''}${line.has(node) ? '' : ' off'}"><circle cx="${px}" cy="${py}" r="9.5"/>` +
			(color === 'root' ? '' : `<text x="${px}" y="${py}">${ply}</text>`) +
			(node.comment || node.marks?.length ? `<circle class="said" cx="${px + 8}" cy="${py - 8}" r="3"/>` : '') + '</g>';
	}
	const svg = $('tree'), text = edges + nodes;
	if (drawn.text !== text || drawn.root !== game.root) {
		drawn = { root: game.root, text };
		svg.setAttribute('width', right + gap * 0.6);
		svg.setAttribute('height', bottom + gap * 0.6);
		svg.innerHTML = text;
	}
	const at = places.find((place) => place.node === here()), box = svg.parentElement;
	if (!at) return;
	const px = (at.x + 0.6) * gap, py = (at.y + 0.6) * gap;
	if (px < box.scrollLeft + gap || px > box.scrollLeft + box.clientWidth - gap) box.scrollLeft = px - box.clientWidth / 2;
	if (py < box.scrollTop + gap || py > box.scrollTop + box.clientHeight - gap) box.scrollTop = py - box.clientHeight / 2;
}

const mostWritten = 800; // nodes, beyond which the moves are not written out

// written is the tree as a list of its nodes, each with its number of moves, in the order of a text: the
// main move, the others in brackets, then what follows the main move.
function written(root) {
	const list = [], stack = [];
	const follow = (node, ply) => { // pushes in reverse
		const [main, ...others] = node.next;
		if (!main) return;
		stack.push(() => follow(main, ply + 1));
		for (const other of others.reverse()) stack.push(() => list.push(')'), () => follow(other, ply + 1), () => list.push('(', { node: other, ply: ply + 1 }));
		stack.push(() => list.push({ node: main, ply: ply + 1 }));
	};
	follow(root, 0);
	while (stack.length) stack.pop()();
	return list;
}

let texts = []; // nodes of the moves as text
let said = '';  // what they say

// drawText writes the moves below the board, beside the panels for study.
function drawText() {
	const { game } = state, box = $('moves-text');
	const items = ['play', 'puzzles'].includes(shown()) || tree.size(game.root) > mostWritten ? [] : written(game.root);
	box.hidden = !items.length;
	const nodes = items.filter((item) => item.node).map((item) => item.node), old = texts;
	const words = [box.clientWidth, document.documentElement.lang, ...items.map((item) => item.node ? [item.node === here() ? '>' : '', game.line[item.ply] === item.node ? '+' : '', item.ply, item.node.cell, item.node.comment].join() : item)].join(' ');
	if (words !== said || nodes.length !== old.length || nodes.some((node, i) => node !== old[i])) {
		said = words;
		texts = nodes;
		let n = 0;
		fill(box, items.flatMap((item) => {
			if (typeof item === 'string') return [element('span', item)];
			const { node, ply } = item, b = element('button', `${ply}. ${cellName(game, node.cell)}`);
			b.dataset.text = n++;
			b.className = game.line[ply] === node ? 'on' : '';
			if (node === here()) b.setAttribute('aria-current', 'true');
			return [b, ...node.comment ? [element('em', node.comment.trim().split('\n')[0].slice(0, 60))] : [], element('span', ' ')];
		}));
		const at = box.querySelector('[aria-current]'); // stays in view, without moving the page
		if (!at) box.scrollLeft = 0;
		else if (at.offsetLeft < box.scrollLeft || at.offsetLeft + at.offsetWidth > box.scrollLeft + box.clientWidth) box.scrollLeft = at.offsetLeft - box.clientWidth / 2;
	}
}

// drawBranches lists the continuations of the position shown, or the moves beside it if it
// ends a line.
function drawBranches() {
	const { game, view } = state;
	const node = here();
	const list = $('branches');
	const focus = document.activeElement?.dataset?.branch;
	fill(list, node.next.map((child, i) => {
		const item = element('li'), b = element('button');
		const name = element('b', child.cell === tree.pass ? t('passed') : cellName(game, child.cell));
		const what = element('span', [child.name, child.comment].filter(Boolean).join(' · ') || t('movesMore', { n: tree.size(child) + 1 }));
		b.append(element('i', '', 'stone ' + sideAt(view)), name, what);
		b.dataset.branch = i;
		if (i === node.on) b.setAttribute('aria-current', 'true');
		b.setAttribute('aria-label', t('branch', { n: i + 1 }) + t('colon') + name.textContent + t('comma') + what.textContent);
		item.append(b);
		return item;
	}));
	if (focus !== undefined) list.querySelector(`[data-branch="${focus}"]`)?.focus();
	list.hidden = !node.next.length;
	const list2 = tree.path(game, node) || [];
	$('promote').disabled = !list2.some((at, k) => k && list2[k - 1].next[0] !== at);
	$('delete-branch').disabled = view <= game.opening || Boolean(game.swap || state.puzzle);
}

// drawRemark shows the comment of the position below the board, where its field is not.
function drawRemark() {
	const box = $('remark'), text = here()?.comment?.trim() || '';
	box.hidden = !text || shown() === 'moves';
	if (box.textContent !== text) box.textContent = text;
}

// draw draws the panel if it is shown, and the comment of the position.
export function draw() {
	if (state.game) {
		drawRemark();
		drawText();
	}
	if (shown() !== 'moves' || !state.game) return;
	drawTree();
	drawBranches();
	const box = $('comment');
	if (document.activeElement !== box || !state.game.line.includes(box.node)) { // who writes does so to its end
		box.node = here();
		box.value = box.node.comment || '';
	}
	for (const button of $('mark-choice').children) button.setAttribute('aria-pressed', button.dataset.mark === state.mark);
}

// beside shows the move before (-1) or after (1) this one among the continuations of the
// position before.
export function beside(by) {
	const { game, view } = state;
	if (!view) return;
	const list = game.line[view - 1].next, node = list[list.indexOf(here()) + by];
	if (node) go(node);
}

// listen connects the panel.
export function listen() {
	$('tree').addEventListener('click', (event) => {
		const box = $('tree').getBoundingClientRect();
		const x = Math.round((event.clientX - box.left) / gap - 0.6), y = Math.round((event.clientY - box.top) / gap - 0.6);
		const at = places.find((place) => place.x === x && place.y === y);
		if (at) at.node === state.game.root ? step(0) : go(at.node);
	});
	$('moves-text').addEventListener('click', (event) => {
		const { text } = event.target.closest('button')?.dataset || {};
		if (text) go(texts[text]);
	});
	$('branches').addEventListener('click', (event) => {
		const b = event.target.closest('button'), { view } = state;
		if (!b) return;
		go(here().next[b.dataset.branch]);
		speak(t('said', { who: t(sideAt(view)), m: b.querySelector('b').textContent }));
	});
	$('promote').addEventListener('click', () => promote(here()));
	$('delete-branch').addEventListener('click', () => remove(here()));
	$('comment').addEventListener('input', (event) => {
		const box = event.target;
		box.node.comment = box.value;
		store.keep(state.game);
		drawTree();
	});
	$('comment').addEventListener('blur', () => changed());
	document.addEventListener('pointerdown', (event) => { if (event.target !== $('comment')) $('comment').blur(); }); // not all browsers do
	for (const kind of kinds) {
		const b = element('button', { triangle: '△', square: '□', circle: '○', cross: '✕', label: 'A' }[kind]);
		b.type = 'button';
		b.dataset.mark = kind;
		b.dataset.label = 'mark_' + kind;
		b.addEventListener('click', () => {
			state.mark = state.mark === kind ? '' : kind;
			speak(state.mark ? t('markClick') : t('markOff'));
			changed();
		});
		$('mark-choice').append(b);
	}
}
