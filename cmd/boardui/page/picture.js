// Pictures of the game, made in the page: the position as a PNG, the game as a GIF.

import { offer } from './files.js';
import { state, cellsOf } from './state.js';
import { paint } from './wood.js';

// draw draws the position after n moves on a canvas, cell pixels wide for each cell; with flat,
// in few colors for a GIF.
function draw(canvas, game, n, cell, { numbers, rows = [], flat }) {
	const { width, height } = game, margin = cell * 1.02;
	const at = (x) => margin + x * cell;
	if (canvas.width !== Math.round(at(width - 1) + margin)) {
		canvas.width = Math.round(at(width - 1) + margin);
		canvas.height = Math.round(at(height - 1) + margin);
	}
	const g = canvas.getContext('2d', { willReadFrequently: true });
	if (flat) {
		g.fillStyle = '#e3b473';
		g.fillRect(0, 0, canvas.width, canvas.height);
	} else {
		const wood = document.createElement('canvas');
		paint(wood, canvas.width, canvas.height);
		g.drawImage(wood, 0, 0);
	}
	g.strokeStyle = '#5c3a14';
	g.lineWidth = Math.max(cell * 0.03, 1);
	g.beginPath();
	for (let x = 0; x < width; x++) {
		g.moveTo(at(x), at(0));
		g.lineTo(at(x), at(height - 1));
	}
	for (let y = 0; y < height; y++) {
		g.moveTo(at(0), at(y));
		g.lineTo(at(width - 1), at(y));
	}
	g.stroke();
	const write = (text, x, y, size, color) => {
		g.font = `600 ${Math.round(size)}px sans-serif`;
		g.textAlign = 'center';
		g.textBaseline = 'middle';
		g.fillStyle = color;
		g.fillText(text, x, y);
	};
	for (let x = 0; x < width; x++) write(String.fromCharCode(97 + x), at(x), canvas.height - margin * 0.32, cell * 0.34, '#6b4316');
	for (let y = 0; y < height; y++) write(String(height - y), margin * 0.32, at(y), cell * 0.34, '#6b4316');
	const disc = (cellAt, r, color) => {
		g.beginPath();
		g.arc(at(cellAt % width), at(Math.floor(cellAt / width)), r * cell, 0, 2 * Math.PI);
		g.fillStyle = color;
		g.fill();
	};
	const given = game.line.slice(1, n + 1).filter((node) => node.setup).length;
	game.moves.slice(0, n).forEach((c, i) => {
		if (c < 0) return;
		const x = at(c % width), y = at(Math.floor(c / width)), black = i % 2 === 0, last = i === n - 1;
		let color = black ? '#1d1c1b' : '#fbf8f1';
		if (!flat) {
			g.save();
			g.shadowColor = 'rgba(42, 22, 0, 0.5)';
			g.shadowBlur = cell * 0.14;
			g.shadowOffsetY = cell * 0.06;
			disc(c, 0.46, color);
			g.restore();
			color = g.createRadialGradient(x - 0.13 * cell, y - 0.17 * cell, 0, x, y, 0.5 * cell);
			color.addColorStop(0, black ? '#72706d' : '#ffffff');
			color.addColorStop(1, black ? '#060606' : '#d5ccbc');
		}
		disc(c, 0.468, color);
		if (numbers && i >= given) write(String(i + 1 - given), x, y, cell * 0.38, last ? black ? '#ffb066' : '#c2401c' : black ? '#f3eee4' : '#2a2520');
		else if (last && i >= given) disc(c, 0.14, '#d3331a');
	});
	g.strokeStyle = '#d3331a';
	g.lineWidth = cell * 0.12;
	for (const row of rows) {
		g.beginPath();
		g.moveTo(at(row[0] % width), at(Math.floor(row[0] / width)));
		g.lineTo(at(row[row.length - 1] % width), at(Math.floor(row[row.length - 1] / width)));
		g.stroke();
	}
	return g;
}

const rowsOf = (look) => (look?.rows || []).map(cellsOf);

export async function savePNG() {
	const { game, view, settings } = state, canvas = document.createElement('canvas');
	draw(canvas, game, view, 56, { numbers: settings.numbers, rows: rowsOf(state.look) });
	offer(`tengen-${game.date}-${view}.png`, await new Promise((done) => canvas.toBlob(done, 'image/png')), 'image/png');
}

// The colors of a GIF: steps from the wood to the lines, the stones and the marks, as edges of
// shapes have them.
const palette = [];
for (const [from, to, n] of [[[227, 180, 115], [92, 58, 20], 8], [[227, 180, 115], [29, 28, 27], 12], [[227, 180, 115], [251, 248, 241], 12],
	[[29, 28, 27], [251, 248, 241], 12], [[29, 28, 27], [211, 51, 26], 6], [[251, 248, 241], [211, 51, 26], 6], [[227, 180, 115], [211, 51, 26], 6], [[29, 28, 27], [255, 176, 102], 2]]) {
	for (let i = 0; i < n; i++) palette.push(from.map((c, k) => Math.round(c + (to[k] - c) * i / (n - 1))));
}

const nearest = new Map(); // color, of 5 bits a channel: index in the palette

function indexOf(r, g, b) {
	const key = r >> 3 << 10 | g >> 3 << 5 | b >> 3;
	let index = nearest.get(key);
	if (index === undefined) {
		let least = Infinity;
		palette.forEach(([pr, pg, pb], i) => {
			const d = (r - pr) ** 2 + (g - pg) ** 2 + (b - pb) ** 2;
			if (d < least) [least, index] = [d, i];
		});
		nearest.set(key, index);
	}
	return index;
}

// pack is the LZW of GIF for indices of 6 bits, in blocks of at most 255 bytes.
function pack(indices) {
	const bytes = [], clear = 64, end = 65;
	let bits = 7, next = end + 1, codes = new Map(), buffer = 0, filled = 0;
	const put = (code) => {
		buffer |= code << filled;
		for (filled += bits; filled >= 8; filled -= 8, buffer >>>= 8) bytes.push(buffer & 255);
	};
	put(clear);
	let prefix = indices[0];
	for (let i = 1; i < indices.length; i++) {
		const key = prefix << 8 | indices[i], known = codes.get(key);
		if (known !== undefined) {
			prefix = known;
			continue;
		}
		put(prefix);
		codes.set(key, next++);
		if (next > 1 << bits && bits < 12) bits++;
		if (next > 4095) {
			put(clear);
			[bits, next, codes] = [7, end + 1, new Map()];
		}
		prefix = indices[i];
	}
	put(prefix);
	put(end);
	if (filled) bytes.push(buffer & 255);
	const blocks = [6];
	for (let i = 0; i < bytes.length; i += 255) blocks.push(Math.min(255, bytes.length - i), ...bytes.slice(i, i + 255));
	blocks.push(0);
	return blocks;
}

const word = (n) => [n & 255, n >> 8];

// gif returns the bytes of an animation of the current line: the opening first, then a frame
// for each move, of the cells that it changes.
function gif(game, { numbers, rows }) {
	const canvas = document.createElement('canvas'), cell = Math.floor(480 / Math.max(game.width, game.height)), margin = cell * 1.02;
	const parts = [];
	const first = game.opening, last = game.moves.length;
	for (let n = first; n <= last; n++) {
		const g = draw(canvas, game, n, cell, { numbers, flat: true, rows: n === last ? rows : [] });
		let [x, y, w, h] = [0, 0, canvas.width, canvas.height];
		if (n === first) {
			parts.push([...Array.from('GIF89a', (c) => c.charCodeAt(0)), ...word(w), ...word(h), 0xf5, 0, 0]);
			for (let i = 0; i < 64; i++) parts.push(palette[i] || [0, 0, 0]);
			parts.push([0x21, 0xff, 11, ...Array.from('NETSCAPE2.0', (c) => c.charCodeAt(0)), 3, 1, 0, 0, 0]);
		} else if (n < last || !rows.length) {
			const cells = game.moves.slice(Math.max(n - 2, 0), n).filter((c) => c >= 0);
			const xs = cells.map((c) => c % game.width), ys = cells.map((c) => Math.floor(c / game.width));
			if (cells.length) {
				x = Math.max(Math.floor(margin + (Math.min(...xs) - 0.5) * cell), 0);
				y = Math.max(Math.floor(margin + (Math.min(...ys) - 0.5) * cell), 0);
				w = Math.min(Math.ceil(margin + (Math.max(...xs) + 0.5) * cell), canvas.width) - x;
				h = Math.min(Math.ceil(margin + (Math.max(...ys) + 0.5) * cell), canvas.height) - y;
			}
		}
		const { data } = g.getImageData(x, y, w, h), indices = new Uint8Array(w * h);
		for (let i = 0; i < indices.length; i++) indices[i] = indexOf(data[4 * i], data[4 * i + 1], data[4 * i + 2]);
		parts.push([0x21, 0xf9, 4, 4, ...word(n === last ? 400 : 80), 0, 0, 0x2c, ...word(x), ...word(y), ...word(w), ...word(h), 0], pack(indices));
	}
	parts.push([0x3b]);
	return new Blob(parts.map((part) => new Uint8Array(part)), { type: 'image/gif' });
}

export function saveGIF() {
	const { game, settings } = state;
	offer(`tengen-${game.date}.gif`, gif(game, { numbers: settings.numbers, rows: rowsOf(state.end) }), 'image/gif');
}
