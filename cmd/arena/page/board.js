"use strict";
// Elements, and the board of the report and of a running match.
const svgNS = "http://www.w3.org/2000/svg";
function svg(name, attrs, parent, text) {
	const e = document.createElementNS(svgNS, name);
	for (const k in attrs) e.setAttribute(k, attrs[k]);
	if (text !== undefined) e.textContent = text;
	if (parent) parent.append(e);
	return e;
}
function el(name, cls, text, parent) {
	const e = document.createElement(name);
	if (cls) e.className = cls;
	if (text !== undefined) e.textContent = text;
	if (parent) parent.append(e);
	return e;
}

// parseMoves reads "h8g7..." into columns and rows from 0 at the top. Names count rows from the bottom.
function parseMoves(text, size) {
	return (text.match(/[a-z]\d+/g) || []).map(s => ({ x: s.charCodeAt(0) - 97, y: +s.slice(1) - 1, s: s[0] + (size + 1 - s.slice(1)) }));
}

// winningRow finds a row through the last of the moves that wins, by the rule of the game.
function winningRow(moves, rule) {
	const exact = 1, renju = 4, caro = 8; // bits of the rule
	const last = moves[moves.length - 1], side = moves.length % 2; // 1 is black
	const stones = new Map(moves.map((m, i) => [m.x + "," + m.y, (i + 1) % 2]));
	for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
		const stone = n => stones.get((last.x + dx * n) + "," + (last.y + dy * n));
		let a = 0, b = 0;
		while (stone(-a - 1) === side) a++;
		while (stone(b + 1) === side) b++;
		const n = a + b + 1, capped = stone(-a - 1) === 1 - side && stone(b + 1) === 1 - side;
		if (n === 5 ? !(rule & caro && capped) : n > 5 && !(rule & exact || rule & renju && side === 1)) {
			return [last.x - dx * a, last.y - dy * a, last.x + dx * b, last.y + dy * b];
		}
	}
	return null;
}

// boardPicture draws a position: the moves, the first so many of them given, and lines from cell to cell.
function boardPicture(size, moves, given, lines) {
	const root = svg("svg", { viewBox: `-1 -1 ${size + 1} ${size + 1}`, role: "img", "aria-label": `Position after ${moves.length} moves` });
	svg("rect", { class: "wood", x: -1, y: -1, width: size + 1, height: size + 1 }, root);
	let path = "";
	for (let i = 0; i < size; i++) path += `M${i},0V${size - 1}M0,${i}H${size - 1}`;
	svg("path", { class: "grid", d: path }, root);
	for (let i = 0; i < size; i++) {
		svg("text", { class: "edge", x: i, y: -0.57 }, root, String.fromCharCode(97 + i));
		svg("text", { class: "edge", x: -0.66, y: i + 0.15 }, root, size - i);
	}
	if (size % 2 && size > 8) {
		const c = (size - 1) / 2, d = size > 12 ? 3 : 2;
		for (const [x, y] of [[c, c], [d, d], [d, size - 1 - d], [size - 1 - d, d], [size - 1 - d, size - 1 - d]]) {
			svg("circle", { class: "star", cx: x, cy: y, r: 0.1 }, root);
		}
	}
	moves.forEach(({ x, y }, i) => {
		const side = i % 2 ? "w" : "b";
		svg("circle", { class: side + (i < given ? " given" : ""), cx: x, cy: y, r: 0.44 }, root);
		svg("text", { class: `num ${side}` + (i === moves.length - 1 ? " new" : ""), x, y: y + 0.14 }, root, i + 1);
	});
	if (moves.length > 0) {
		const last = moves[moves.length - 1];
		svg("circle", { class: "mark", cx: last.x, cy: last.y, r: 0.44 }, root);
	}
	for (const [x1, y1, x2, y2] of lines) svg("line", { class: "five", x1, y1, x2, y2 }, root);
	return root;
}
