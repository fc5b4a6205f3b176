// The editor of positions: stones of any colors, a handicap, and who is to move.

import * as api from './api.js';
import { $, wait } from './dom.js';
import { start } from './play.js';
import { state, changed, speak, toast, wrongText } from './state.js';
import { alternate, cellName, sideAt } from './game.js';
import { pass } from './tree.js';
import { t } from './text.js';

let editing = null; // {stones: Map of cell to color, side, tool, choice} while a position is edited

export const active = () => Boolean(editing);

// begin edits the position shown, or an empty board for the game that choice describes.
export function begin(choice) {
	const { game, view } = state, stones = new Map();
	if (!choice) game.moves.slice(0, view).forEach((cell, i) => { if (cell !== pass) stones.set(cell, sideAt(i)); });
	const { width, height, rule, level, style, millis, second, players } = game;
	editing = {
		stones, side: choice ? 'black' : sideAt(view), tool: 'black',
		choice: choice || { width, height, rule, level, style, millis, second, ...players },
	};
	changed();
	$('setup').querySelector('button').focus();
}

// moves returns the position as a game has it, see alternate. The stones are in the order in which
// they were laid, except that the first late ones come last.
export function moves(late = 0) {
	const both = { black: [], white: [] }, stones = [...editing.stones];
	for (const [cell, color] of [...stones.slice(late), ...stones.slice(0, late)]) both[color].push(cell);
	return alternate(both, editing.side);
}

// board is the size and rule of what is edited.
export const board = () => editing.choice;

// take takes a click on the board while a position is edited.
export function take(cell) {
	if (!editing) return false;
	const { stones, tool } = editing;
	const color = tool === 'erase' || stones.get(cell) === tool ? '' : tool;
	stones.delete(cell);
	if (color) stones.set(cell, color);
	speak(color ? t('said', { who: t(color), m: cellName(editing.choice, cell) }) : t('cellEmpty', { m: cellName(editing.choice, cell) }));
	changed();
	return true;
}

// handicap lays n black stones on the middle and the star points, white to move.
function handicap(n) {
	const { width, height } = editing.choice, near = Math.min(width, height) >= 13 ? 3 : 1;
	const x = [Math.floor(width / 2), near, width - 1 - near], y = [Math.floor(height / 2), near, height - 1 - near];
	const points = [[x[0], y[0]], [x[1], y[1]], [x[2], y[2]], [x[2], y[1]], [x[1], y[2]]].slice(0, n);
	editing.stones = new Map(points.map(([px, py]) => [py * width + px, 'black']));
	editing.side = n ? 'white' : 'black';
	changed();
}

// done begins the game with the position.
async function done() {
	const mine = editing, { choice, stones } = mine;
	let cells, seen;
	try {
		// What is forbidden on the way to a position may depend on the order of its stones.
		for (let late = 0; !seen || seen.foul && late < Math.min(stones.size, 40); late++) {
			cells = moves(late);
			seen = await wait(api.look({ ...state.game, ...choice }, cells, false));
			if (editing !== mine) return;
		}
		if (seen.over) return toast(t('setupOver'));
	} catch (error) {
		return toast(wrongText(error));
	}
	start({ ...choice, from: '', stones: cells });
}

// draw draws the tools.
export function draw() {
	$('setup').hidden = !editing;
	document.querySelector('.steps').hidden = document.querySelector('.actions').inert = active();
	if (!editing) return;
	$('setup-side').value = editing.side;
	for (const button of $('setup').querySelectorAll('[data-tool]')) button.setAttribute('aria-pressed', button.dataset.tool === editing.tool);
}

// end ends the editor without drawing the page.
export function end() {
	editing = null;
}

// cancel leaves the game as it was.
export function cancel() {
	end();
	changed();
}

// listen connects the tools.
export function listen() {
	$('setup').addEventListener('click', (event) => {
		const { tool } = event.target.closest('button')?.dataset || {};
		if (!tool) return;
		editing.tool = tool;
		draw();
	});
	$('setup-side').addEventListener('change', (event) => {
		editing.side = event.target.value;
		changed();
	});
	$('handicap').addEventListener('change', (event) => {
		if (event.target.value) handicap(Number(event.target.value));
		event.target.value = '';
	});
	$('setup-done').addEventListener('click', done);
	$('setup-cancel').addEventListener('click', cancel);
}
