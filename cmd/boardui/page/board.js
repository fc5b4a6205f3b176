// Draws the board and reports the cells that are chosen. It does not know the rules.

import * as lens from './lens.js';
import { paint } from './wood.js';
import { cellName } from './game.js';
import { t } from './text.js';

const frame = document.getElementById('frame');
const grid = document.getElementById('board');
const drawing = document.getElementById('drawing');
const wood = document.getElementById('wood');

let size = { width: 0, height: 0 };
let margin = 1;
let cursor = 0;    // cell of the keyboard
let hover = null;  // color of the stone under the mouse, null for none
let hovered = -1;
let parts = {};    // groups of the drawing
let cells = [];    // elements for screen readers
let handlers = {};
let drawn = [];     // stones
let falls = false; // the last of them is new

// setUp sets the size of the board, and whether coordinates are drawn.
export function setUp(width, height, coordinates) {
	const same = size.width === width && size.height === height;
	if (same && size.coordinates === coordinates) return;
	size = { width, height, coordinates };
	margin = coordinates ? 1.02 : 0.66;
	const w = width - 1 + 2 * margin, h = height - 1 + 2 * margin;
	frame.style.setProperty('--columns', w);
	frame.style.setProperty('--rows', h);
	drawing.setAttribute('viewBox', `${-margin} ${-margin} ${w} ${h}`);
	drawing.innerHTML = '<g id="all">' + lines(width, height) + (coordinates ? letters(width, height) : '') +
		['below', 'shadows', 'stones', 'rows', 'marks', 'above', 'touch'].map((name) => `<g id="g-${name}"></g>`).join('') + '</g>';
	parts = Object.fromEntries(Array.from(drawing.querySelectorAll('#all > g'), (g) => [g.id.slice(2), g]));
	if (!same) {
		cursor = Math.floor(height / 2) * width + Math.floor(width / 2);
		grid.innerHTML = Array.from({ length: height }, (_, y) => '<div role="row">' +
			Array.from({ length: width }, (_, x) => `<div role="gridcell" id="c${y * width + x}"></div>`).join('') + '</div>').join('');
		cells = Array.from(grid.querySelectorAll('[role=gridcell]'));
	}
	grid.style.setProperty('--w', width);
	grid.style.setProperty('--h', height);
	grid.style.inset = `${(margin - 0.5) / h * 100}% ${(margin - 0.5) / w * 100}%`;
	grid.setAttribute('aria-rowcount', height);
	grid.setAttribute('aria-colcount', width);
	fit();
	mark();
}

function lines(width, height) {
	let d = '';
	for (let y = 0; y < height; y++) d += `M0 ${y}H${width - 1}`;
	for (let x = 0; x < width; x++) d += `M${x} 0V${height - 1}`;
	return `<path class="lines" d="${d}"/><rect class="edge" x="0" y="0" width="${width - 1}" height="${height - 1}"/>` +
		stars(width, height).map(([x, y]) => `<circle class="star" cx="${x}" cy="${y}" r="0.11"/>`).join('');
}

// stars are the star points: the center if there is one, and four or eight near the edge.
function stars(width, height) {
	const along = (n) => {
		const edge = n >= 13 ? 3 : n >= 9 ? 2 : -1;
		if (edge < 0) return n % 2 ? [(n - 1) / 2] : [];
		return n % 2 && n >= 13 ? [edge, (n - 1) / 2, n - 1 - edge] : [edge, n - 1 - edge];
	};
	const xs = along(width), ys = along(height), list = [];
	for (const y of ys) {
		for (const x of xs) {
			const middleX = x === (width - 1) / 2, middleY = y === (height - 1) / 2;
			if (middleX !== middleY && Math.max(width, height) < 19) continue;
			list.push([x, y]);
		}
	}
	if (width % 2 && height % 2 && (width < 13 || height < 13)) list.push([(width - 1) / 2, (height - 1) / 2]);
	return list;
}

function letters(width, height) {
	let s = '';
	for (let x = 0; x < width; x++) s += `<text class="label" x="${x}" y="${height - 1 + 0.72}">${String.fromCharCode(97 + x)}</text>`;
	for (let y = 0; y < height; y++) s += `<text class="label" x="-0.72" y="${y}">${height - y}</text>`;
	return s;
}

// fit sets the size of letters, in cells, for the size of the board on the screen: they grow with it,
// but stay large enough to be read. On a small board a badge has room for one number.
function fit() {
	const cell = frame.clientWidth / (size.width - 1 + 2 * margin) || 1, small = cell < 30;
	const letter = (share, least) => `${Math.max(share, Math.min(least / cell, 0.6)).toFixed(3)}px`;
	frame.style.setProperty('--label', letter(0.34, 9));
	frame.style.setProperty('--badge', letter(0.31, 9));
	frame.style.setProperty('--badge-long', letter(0.25, 8.2));
	frame.style.setProperty('--badge-more', small ? 'none' : 'block');
	frame.style.setProperty('--badge-shift', small ? '0.07px' : '0px');
	paint(wood);
}

const at = (cell) => [cell % size.width, Math.floor(cell / size.width)];

// draw shows a position:
//   stones     cells in the order they were played, black first; -1 for a pass
//   numbers    whether the stones show their move numbers, from the one after the first `from`
//   forbidden  forbidden points of black
//   rows       winning rows, as lists of cells
//   threats    [{kind, at, stones}] of cells
//   ghosts     [{cell, color, text}] stones of a line of analysis
//   signs      [{cell, kind, text}] marks that a person has set: see tree.js
//   badges     [{cell, text, small, best, old}] marks of good moves; old ones are of an analysis that was stopped
//   dots       cells where an opening allows a stone
//   notes      [{cell, text, kind}] what a review says of moves
//   hover      color of the stone under the mouse, or null
//   confirm    whether a stone takes two taps of a finger
export function draw(v) {
	v = { forbidden: [], rows: [], threats: [], ghosts: [], badges: [], signs: [], notes: [], dots: [], ...v };
	confirm = v.confirm;
	let shadows = '', stones = '', rows = '', marks = '', below = '', above = '';
	const r = 0.468;
	if (drawn.join() !== v.stones.join()) {
		falls = v.stones.length === drawn.length + 1 && drawn.every((cell, i) => cell === v.stones[i]);
		drawn = v.stones;
	}
	v.stones.forEach((cell, i) => {
		if (cell < 0) return; // a pass
		const [x, y] = at(cell), black = i % 2 === 0, last = i === v.stones.length - 1;
		const fresh = last && falls ? ' fresh' : '';
		shadows += `<circle class="shadow${fresh}" cx="${x + 0.05}" cy="${y + 0.09}" r="0.56"/>`;
		stones += `<circle class="stone ${black ? 'black' : 'white'}${fresh}" cx="${x}" cy="${y}" r="${r}"/>`;
		if (v.numbers && i < v.from) return;
		if (v.numbers) marks += `<text class="number on-${black ? 'black' : 'white'}${last ? ' last' : ''}" x="${x}" y="${y + 0.13}">${i + 1 - v.from}</text>`;
		else if (last && !v.rows.length) marks += `<circle class="last on-${black ? 'black' : 'white'}" cx="${x}" cy="${y}" r="0.19"/>`;
	});
	for (const row of v.rows) {
		const [x1, y1] = at(row[0]), [x2, y2] = at(row[row.length - 1]);
		rows += `<path class="five" d="M${x1} ${y1}L${x2} ${y2}"/>`;
		for (const cell of row) {
			const [x, y] = at(cell);
			rows += `<circle class="won" cx="${x}" cy="${y}" r="0.468"/>`;
		}
	}
	for (const cell of v.forbidden) {
		const [x, y] = at(cell);
		below += `<path class="forbidden" d="M${x - 0.2} ${y - 0.2}l0.4 0.4m0-0.4l-0.4 0.4"/>`;
	}
	for (const cell of v.dots) {
		const [x, y] = at(cell);
		below += `<circle class="dot" cx="${x}" cy="${y}" r="0.13"/>`;
	}
	for (const threat of v.threats) {
		const [x1, y1] = at(threat.stones[0]), [x2, y2] = at(threat.stones[threat.stones.length - 1]), [x, y] = at(threat.at);
		const kind = threat.kind === 4 ? 'four' : 'three';
		rows += `<path class="threat ${kind}" d="M${x1} ${y1}L${x2} ${y2}"/>`;
		below += `<path class="threat-at ${kind}" d="M${x} ${y - 0.2}l0.2 0.2-0.2 0.2-0.2-0.2z"/>`;
	}
	for (const ghost of v.ghosts) {
		const [x, y] = at(ghost.cell);
		above += `<g class="ghost"><circle class="stone ${ghost.color}" cx="${x}" cy="${y}" r="0.43"/>` +
			`<text class="number on-${ghost.color}" x="${x}" y="${y + 0.13}">${ghost.text}</text></g>`;
	}
	const taken = new Map(v.stones.map((cell, i) => [cell, i % 2 ? 'white' : 'black']));
	for (const { cell, kind, text } of v.signs) {
		const [x, y] = at(cell), on = ` on-${taken.get(cell) || 'wood'}`;
		const shape = { triangle: `M${x} ${y - 0.27}l0.25 0.43h-0.5z`, square: `M${x - 0.2} ${y - 0.2}h0.4v0.4h-0.4z`, cross: `M${x - 0.2} ${y - 0.2}l0.4 0.4m0-0.4l-0.4 0.4`,
			circle: `M${x - 0.23} ${y}a0.23 0.23 0 1 0 0.46 0a0.23 0.23 0 1 0 -0.46 0` }[kind];
		if (shape) above += `<path class="sign${on}" d="${shape}"/>`;
		else above += (on === ' on-wood' ? `<circle class="sign-ground" cx="${x}" cy="${y}" r="0.33"/>` : '') + `<text class="sign-text${on}" x="${x}" y="${y}">${escaped(text || '')}</text>`;
	}
	for (const badge of v.badges) {
		const [x, y] = at(badge.cell);
		above += `<g class="mark${badge.old ? ' old' : ''}"><circle class="badge${badge.best ? ' best' : badge.blocked ? ' blocked' : ''}" cx="${x}" cy="${y}" r="0.4"/>` +
			`<text class="badge-text${String(badge.text).length > 2 ? ' long' : ''}${badge.small ? ' upper' : ''}" x="${x}" y="${y + (badge.small ? 0.05 : 0.12)}">${badge.text}</text>` +
			(badge.small ? `<text class="badge-text small" x="${x}" y="${y + 0.28}">${badge.small}</text></g>` : '</g>');
	}
	for (const note of v.notes) {
		const [x, y] = at(note.cell), dx = note.kind === 'better' ? 0 : 0.34;
		above += `<circle class="note ${note.kind}" cx="${x + dx}" cy="${y - dx}" r="0.24"/><text class="note-text" x="${x + dx}" y="${y - dx + 0.1}">${note.text}</text>`;
	}
	for (const [name, content] of Object.entries({ shadows, stones, rows, marks, below, above })) {
		if (parts[name].drawn !== content) parts[name].innerHTML = parts[name].drawn = content;
	}
	hover = v.hover;
	if (!handlers.free(hovered)) hovered = -1; // a stone of the other side has been placed there
	if (asked >= 0 && handlers.free(asked)) hovered = asked;
	else asked = -1;
	drawPointer();
	tell(v);
}

const escaped = (text) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);

// tell updates the cells for screen readers.
function tell(v) {
	const names = new Array(cells.length).fill('cellEmpty');
	for (const cell of v.forbidden) names[cell] = 'cellForbidden';
	v.stones.forEach((cell, i) => { if (cell >= 0) names[cell] = i % 2 ? 'cellWhite' : 'cellBlack'; });
	const last = v.stones[v.stones.length - 1];
	cells.forEach((element, cell) => {
		const name = t(names[cell], { m: cellName(size, cell) }) + (cell === last ? t('cellLast') : '');
		if (element.getAttribute('aria-label') !== name) element.setAttribute('aria-label', name);
	});
	grid.setAttribute('aria-label', t('boardLabel', { w: size.width, h: size.height }));
}

// drawPointer draws the stone under the mouse or finger, and the keyboard's cursor.
function drawPointer() {
	let s = '';
	const [cx, cy] = at(cursor);
	s += `<rect class="cursor" x="${cx - 0.48}" y="${cy - 0.48}" width="0.96" height="0.96" rx="0.12"/>`;
	if (hover && hovered >= 0) {
		const [x, y] = at(hovered);
		if (rested) s += `<path class="cross" d="M0 ${y}H${size.width - 1}M${x} 0V${size.height - 1}"/>`;
		s += `<circle class="hover stone ${hover}" cx="${x}" cy="${y}" r="0.468"/>`;
	}
	parts.touch.innerHTML = s;
}

function mark() {
	grid.setAttribute('aria-activedescendant', 'c' + cursor);
}

// cellUnder is the cell under the pointer, -1 if it is off the board.
export function cellUnder(event) {
	const box = grid.getBoundingClientRect();
	const x = Math.floor((event.clientX - box.left) / box.width * size.width);
	const y = Math.floor((event.clientY - box.top) / box.height * size.height);
	return x >= 0 && x < size.width && y >= 0 && y < size.height ? y * size.width + x : -1;
}

// A finger places a stone by a tap, or by a rest: after that a lens shows the stone that it would
// place where it is lifted. One that moves before that scrolls the page. With confirm set, a stone
// takes a second tap on the same cell.
const still = 10;  // pixels that a finger at rest may move
const rest = 220;  // milliseconds

let finger = null; // {x, y, time, timer} of the first touch, while it may place a stone
let rested = false;
let confirm = false;
let asked = -1; // cell that waits for the second tap

function follow(event) {
	const cell = cellUnder(event);
	const next = handlers.free(cell) ? cell : -1;
	if (next !== hovered) {
		hovered = next;
		drawPointer();
	}
	if (rested && hovered >= 0) lens.show(at(hovered), event);
	else lens.hide();
}

function lift() {
	clearTimeout(finger?.timer);
	finger = null;
	rested = false;
	hovered = -1;
	lens.hide();
	drawPointer();
}

// choose plays a cell, or asks for the second tap.
function choose(cell, byFinger) {
	lift();
	if (cell < 0) return;
	cursor = cell;
	mark();
	if (byFinger && confirm && asked !== cell && handlers.free(cell)) {
		asked = hovered = cell;
		drawPointer();
		handlers.again(cell);
		return;
	}
	asked = -1;
	handlers.choose(cell);
}

let used = 0; // time of the last tap, after which the browser sends a click too

// Whether the last press was one of the right button: a menu is asked for by a finger that rests
// and by a key too, and not all browsers say by what.
let rightButton = false;

grid.addEventListener('pointermove', (event) => {
	const late = finger && event.timeStamp - finger.time < rest; // a busy page hears of a flick after the timer
	if (event.pointerType === 'mouse' || rested && !late) return follow(event);
	if (finger && Math.hypot(event.clientX - finger.x, event.clientY - finger.y) > still) lift();
});
grid.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') lift(); });
grid.addEventListener('pointercancel', lift);
grid.addEventListener('pointerdown', (event) => {
	rightButton = event.pointerType !== 'touch' && (event.button === 2 || event.ctrlKey);
	if (event.pointerType !== 'touch') return;
	lift();
	if (!event.isPrimary) return; // two fingers zoom
	grid.setPointerCapture(event.pointerId);
	finger = { x: event.clientX, y: event.clientY, time: event.timeStamp, timer: setTimeout(() => { rested = true; follow(event); }, rest) };
});
grid.addEventListener('pointerup', (event) => {
	if (event.pointerType !== 'touch') return;
	used = event.timeStamp; // also that of a flick, or of a second finger
	if (finger) choose(cellUnder(event), true);
});
// The browser scrolls with a finger that moves, unless it has rested.
grid.addEventListener('touchmove', (event) => { if (rested && event.cancelable) event.preventDefault(); }, { passive: false });
grid.addEventListener('click', (event) => {
	if (used && event.timeStamp - used < 700) return;
	const cell = cells.indexOf(event.target); // a click by a screen reader has no place, only a target
	choose(cell < 0 ? cellUnder(event) : cell, event.pointerType === 'touch');
});
// The board has the focus, and arrows move its cursor, only for who comes to it by keyboard:
// after a click they step through the game.
grid.addEventListener('mousedown', (event) => {
	event.preventDefault();
	document.activeElement?.blur();
});
grid.addEventListener('contextmenu', (event) => {
	event.preventDefault();
	if (rightButton) handlers.back();
});
grid.addEventListener('keydown', (event) => {
	rightButton = false;
	const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
	if (step && !event.ctrlKey && !event.metaKey && !event.altKey) {
		const [x, y] = at(cursor);
		cursor = Math.min(Math.max(y + step[1], 0), size.height - 1) * size.width + Math.min(Math.max(x + step[0], 0), size.width - 1);
		mark();
		drawPointer();
		event.preventDefault();
	} else if (event.key === 'Enter' || event.key === ' ') {
		event.preventDefault();
		if (!event.repeat) handlers.choose(cursor);
	}
});

// shake shows that a cell cannot be played.
export function shake(cell) {
	const [x, y] = at(cell);
	parts.touch.innerHTML += `<circle class="refused" cx="${x}" cy="${y}" r="0.46"/>`;
}

// listen sets the handlers: choose(cell), back(), free(cell), and again(cell) before the second
// tap.
export function listen(h) {
	handlers = h;
	new ResizeObserver(fit).observe(frame);
}
