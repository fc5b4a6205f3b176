// The tree of a game: every line that has been played or tried. Pure data, without the page.
//
// game.root is the node before the first move. A node is
//
//	cell     the point of its move, or pass; absent at the root
//	next     its continuations, the main line first
//	on       index in next of the continuation on the current line; absent where that ends
//	took     milliseconds of the move
//	spent    milliseconds thought about the next one, while that is left, see clock.js
//	score    of the position after it, for black: {value, mate, depth}, see game.js
//	comment  text
//	marks    [{cell, kind, text}]: kind is square, triangle, circle, cross or label
//	name     of the opening or the position
//	resigned color that resigned after the move, where a line ended with that; if flagged, its
//	         time was over
//	outcome  black, white, draw or '' where the main line of a file ended without a resignation
//
// and may have other fields, which are stored with it: what else a file says of the move, see
// record.js, and what a review found, see review.js.
//
// The current line follows `on` from the root. What is read most often is derived from it by
// sync, after every change here, and is not stored:
//
//	game.line    its nodes: line[k] is the node after k moves, line[0] is game.root
//	game.moves   its cells
//	game.took    their times
//	game.scores  by number of moves, null where unknown (write with setScore)
//	game.resigned  that of the last node, or null (write with resign)
//
// Sides alternate, black first, passes included: a handicap or a position set up with any
// colors is a line of the first game.opening moves with passes in it.

import { levelNow } from './levels.js';

export const pass = -1;

const newNode = (cell, facts) => ({ cell, next: [], ...facts });

// sync derives the current line of the game.
export function sync(game) {
	const line = [game.root];
	for (let node = game.root; node.next[node.on]; line.push(node)) node = node.next[node.on];
	game.line = line;
	game.moves = line.slice(1).map((node) => node.cell);
	game.took = line.slice(1).map((node) => node.took || 0);
	game.scores = line.map((node) => node.score || null);
	game.resigned = line[line.length - 1].resigned || null;
	game.opening = Math.min(game.opening, game.moves.length);
	return game;
}

// grow makes a root with one line of cells, took being their times.
export function grow(cells, took = [], scores = []) {
	const root = { next: [] };
	let node = root;
	cells.forEach((cell, i) => {
		node.on = 0;
		node.next.push(newNode(cell, took[i] ? { took: took[i] } : {}));
		[node] = node.next;
	});
	node = root;
	for (let k = 0; node; k++, [node] = node.next) if (scores[k]) node.score = scores[k];
	return root;
}

// add plays cell after ply moves of the current line, which then ends with it, unless that
// move is in the tree already: then the line goes on as it did there. It returns the node.
export function add(game, ply, cell, facts) {
	const at = game.line[ply];
	let i = at.next.findIndex((node) => node.cell === cell);
	if (i < 0) i = at.next.push(newNode(cell, facts)) - 1;
	at.on = i;
	sync(game);
	return at.next[i];
}

// extend adds a line of cells after ply moves of the current line, which stays as it is. It returns the
// last node of the line and the first that is new, null if none is.
export function extend(game, ply, cells) {
	let node = game.line[ply], first = null;
	for (const cell of cells) {
		let next = node.next.find((child) => child.cell === cell);
		if (!next) {
			next = newNode(cell);
			node.next.push(next);
			first ??= next;
		}
		node = next;
	}
	sync(game);
	return { node, first };
}

// graft adds what another tree has to that of the game. Of moves that both have, what the game says of
// them stays.
export function graft(game, root) {
	const stack = [[game.root, root]];
	while (stack.length) {
		const [at, from] = stack.pop();
		from.next.forEach((node, i) => {
			const same = at.next.find(({ cell }) => cell === node.cell);
			if (!same) {
				at.next.splice(i, 0, node);
				if (at.on >= i) at.on++;
				return;
			}
			const { next, on, spent, ...facts } = node;
			Object.assign(same, { ...facts, ...same });
			stack.push([same, node]);
		});
	}
	sync(game);
}

// path returns the nodes from the root to a node, both included, or null if it is not in the
// tree.
export function path(game, node) {
	const before = new Map([[game.root, null]]), stack = [game.root];
	while (stack.length && !before.has(node)) {
		const at = stack.pop();
		for (const child of at.next) {
			before.set(child, at);
			stack.push(child);
		}
	}
	if (!before.has(node)) return null;
	const list = [];
	for (let at = node; at; at = before.get(at)) list.unshift(at);
	return list;
}

// select makes the current line pass through a node and returns its number of moves. After
// the node, the line goes on as it was last shown there, or with the main line.
export function select(game, node) {
	const list = path(game, node);
	if (!list) return -1;
	for (let k = 1; k < list.length; k++) list[k - 1].on = list[k - 1].next.indexOf(list[k]);
	for (let at = node; at.next.length; at = at.next[at.on]) at.on = at.next[at.on] ? at.on : 0;
	sync(game);
	return list.length - 1;
}

// endAt ends the current line after n moves. What followed stays in the tree.
export function endAt(game, n) {
	delete game.line[n].on;
	sync(game);
}

// cut removes all but the first n moves of the current line, with everything that follows
// them; other continuations of the n-th move stay.
export function cut(game, n) {
	const at = game.line[n];
	if (game.line[n + 1]) at.next.splice(at.on, 1);
	for (const fact of ['on', 'resigned', 'flagged']) delete at[fact];
	sync(game);
}

// remove removes a node with everything that follows it. If it was on the current line, that
// ends before it. It returns false for the root and for nodes of the opening.
export function remove(game, node) {
	const list = path(game, node);
	if (!list || list.length - 1 <= game.opening) return false;
	const at = list[list.length - 2], i = at.next.indexOf(node);
	at.next.splice(i, 1);
	if (at.on === i) delete at.on;
	else if (at.on > i) at.on--;
	sync(game);
	return true;
}

// promote moves a node's branch up by one among the continuations it stands in: the node
// itself, or the last of its forebears that is not the first. It returns false if the node is
// on the main line.
export function promote(game, node) {
	const list = path(game, node) || [];
	for (let k = list.length - 1; k > 0; k--) {
		const at = list[k - 1], i = at.next.indexOf(list[k]);
		if (i === 0) continue;
		const shown = at.next[at.on];
		at.next.splice(i, 1);
		at.next.splice(i - 1, 0, list[k]);
		if (shown) at.on = at.next.indexOf(shown);
		sync(game);
		return true;
	}
	return false;
}

// setScore stores the score of the position after ply moves of the current line.
export function setScore(game, ply, score) {
	if (!game.line[ply]) return;
	game.line[ply].score = score;
	game.scores[ply] = score;
}

// resign ends the current line with a color's resignation, or the end of its time.
export function resign(game, color, flagged = false) {
	Object.assign(game.line.at(-1), { resigned: color, flagged });
	sync(game);
}

// turn turns the board a quarter to the right, or mirrors it left to right, with all moves, marks
// and what a review found. What a file keeps as text goes if it holds points. It returns the
// function that gives the new place of a cell.
export function turn(game, mirrored) {
	const { width, height } = game;
	const moved = (cell) => {
		if (cell < 0) return cell;
		const x = cell % width, y = Math.floor(cell / width);
		return mirrored ? y * width + width - 1 - x : x * height + height - 1 - y;
	};
	walk(game.root, (node) => {
		if (node.cell !== undefined) node.cell = moved(node.cell);
		if (node.more) node.more = node.more.filter(([name]) => !/^(AR|DD|LN|SL|T[BW]|VW)$/.test(name));
		if (node.marks) node.marks = node.marks.map((mark) => ({ ...mark, cell: moved(mark.cell) }));
		if (node.review) node.review.better = node.review.better.map(moved);
	});
	if (game.review) game.review.moves = game.review.moves.map(moved);
	if (!mirrored) [game.width, game.height] = [height, width];
	sync(game);
	return moved;
}

// walk calls visit(node, ply) for every node, each before those that follow it.
export function walk(root, visit) {
	const stack = [[root, 0]];
	while (stack.length) {
		const [node, ply] = stack.pop();
		visit(node, ply);
		for (let i = node.next.length - 1; i >= 0; i--) stack.push([node.next[i], ply + 1]);
	}
}

// size counts the moves of the tree.
export function size(root) {
	let n = -1;
	walk(root, () => n++);
	return n;
}

// stored is what JSON keeps of a game: the tree without what is derived or empty.
export function stored(game) {
	const { line, moves, took, scores, resigned, ...rest } = game;
	return JSON.stringify(rest, (key, value) => key === 'next' && !value.length ? undefined : value);
}

// restore is the inverse of stored; it throws an Error if the text is not a game. It reads
// version 1, which had a single line, and version 2, which had ten levels, as well.
export function restore(text) {
	const game = JSON.parse(text);
	if (game?.version === 1 && [game.moves, game.took, game.scores].every(Array.isArray)) {
		game.root = grow(game.moves, game.took, game.scores);
		game.version = 2;
		const { resigned } = game;
		if (resigned) resign(sync(game), resigned);
	}
	if (game?.version === 2) {
		for (const dials of [game, game.second]) if (dials) dials.level = levelNow(dials.level);
		game.version = 3;
	}
	if (game?.version !== 3 || !game.players || !game.root) throw new Error('not a game');
	const side = (n) => Number.isInteger(n) && n >= 5 && n <= 22;
	if (!side(game.width) || !side(game.height)) throw new Error('a board of wrong size');
	walk(game.root, (node, ply) => {
		node.next ??= [];
		if (!Array.isArray(node.next) || ply && !(Number.isInteger(node.cell) && node.cell >= pass && node.cell < game.width * game.height)) {
			throw new Error('a damaged move');
		}
	});
	game.opening = Math.max(Math.trunc(game.opening) || 0, 0);
	game.names ??= { black: '', white: '' };
	if (!Array.isArray(game.review?.moves)) delete game.review;
	return sync(game);
}
