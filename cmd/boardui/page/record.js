// Games of files, as the server sends and receives them: trees in JSON, as brain/record/json.go has them.
// There any side may move, and stones are set up in the root. In the tree of the page sides alternate: such
// stones, and players who move twice, become moves with passes between them, which are marked, so that a
// file is written as it was read. A node of the page has for that:
//
//	setup  a stone that is set up, or a pass between such stones
//	auto   a pass that is not in the file
//
// and as in the file: hot, start, side (to move, if the file says so) and more, other properties of SGF
// as lists of a name and its values.

import { alternate, other, parsePos, pos, sideAt } from './game.js';
import { pass } from './tree.js';

// Comments that package record writes for a move of the opening and for the time of another.
const openingComment = 'opening move', timeComment = /^(\d{1,15})ms$/;

// add adds what one node says to another, with its marks as mark makes them.
function add(to, { comment, marks = [], more = [], ...from }, mark) {
	if (comment) to.comment = to.comment ? to.comment + '\n' + comment : comment;
	for (const fact of ['name', 'hot', 'start', 'side']) if (from[fact]) to[fact] = from[fact];
	for (const m of marks) (to.marks ??= []).push(mark(m));
	for (const property of more) (to.more ??= []).push(property);
}

// usual is the side to move where these stones are set up, if nothing says which.
const usual = ({ black, white }) => black.length > white.length ? 'white' : 'black';

// follow pushes the children of a node, the main line last: [child, what its parent became, ply, whether it is
// of the main line].
function follow(stack, { next = [] }, to, ply, main) {
	for (let i = next.length - 1; i >= 0; i--) stack.push([next[i], to, ply, main && !i]);
}

// end is the last node of the main line.
export function end(node) {
	while (node.next.length) [node] = node.next;
	return node;
}

// read returns what a game of the page has of a tree: its root, the moves of the opening, and the number
// of moves in the file.
export function read({ width, height, result = '', reason = '', root: from }, outcome) {
	const cells = (text = '') => text === 'pass' ? [pass] : parsePos(text, width, height);
	const mark = ({ at, ...rest }) => ({ cell: cells(at)[0], ...rest });
	const grow = (at, cell, facts) => at.next[at.next.push({ cell, ...facts, next: [] }) - 1];
	const root = { next: [] }, stones = { black: cells(from.black), white: cells(from.white) };
	const setup = alternate(stones, from.side || from.color || usual(stones));
	let opening = setup.length, moves = -1;
	const last = setup.reduce((at, cell) => grow(at, cell, { setup: true }), root);
	for (const stack = [[from, last, opening, true]]; stack.length; moves++) {
		let [node, at, ply, main] = stack.pop();
		if (node.color && node.color !== sideAt(ply)) {
			at = grow(at, pass, { auto: true });
			ply++;
		}
		if (node.color) {
			at = grow(at, cells(node.move)[0]);
			ply++;
		}
		add(at, node, mark);
		const noted = main && node.color ? at.comment : '', time = noted?.match(timeComment);
		if (noted === openingComment && opening === ply - 1) {
			opening = ply;
			delete at.comment;
		} else if (time) {
			at.took = Number(time[1]);
			delete at.comment;
		}
		follow(stack, node, at, ply, main);
	}
	const flagged = /^timeout/i.test(reason) || /\+T/i.test(result);
	if ((flagged || /^resigned$/i.test(reason) || /\+R/i.test(result)) && /black|white/.test(outcome)) {
		Object.assign(end(root), { resigned: other(outcome), ...flagged && { flagged } });
	}
	return { root, opening, moves };
}

// write is the inverse of read: it returns {tree, outcome} for a game of the page with facts of a file,
// which are names, result, reason and others. A resignation that is in the tree counts for more.
export function write({ width, height, rule, root, opening }, { outcome, result = '', reason, ...facts }) {
	const point = (cell) => cell === pass ? 'pass' : pos({ width }, [cell]);
	const mark = ({ cell, ...rest }) => ({ at: point(cell), ...rest });
	const to = {}, stones = { black: [], white: [] };
	let at = root, start = 0;
	add(to, root, mark);
	for (; at.next.length === 1 && at.next[0].setup; start++) {
		[at] = at.next;
		if (at.cell !== pass) stones[sideAt(start)].push(at.cell);
		add(to, at, mark);
	}
	Object.assign(to, { black: pos({ width }, stones.black), white: pos({ width }, stones.white) });
	if (sideAt(start) !== usual(stones)) to.side = sideAt(start);
	const stack = [];
	for (follow(stack, at, to, start, true); stack.length;) {
		let [node, before, ply, main] = stack.pop();
		if (!node.auto) {
			const move = { color: sideAt(ply), move: point(node.cell) };
			if (main && !node.comment) {
				if (ply < opening && !node.setup) move.comment = openingComment;
				else if (node.took > 0) move.comment = node.took + 'ms';
			}
			(before.next ??= []).push(move);
			before = move;
		}
		add(before, node, mark);
		follow(stack, node, before, ply + 1, main);
	}
	const { resigned, flagged } = end(root);
	if (resigned) {
		outcome = other(resigned);
		reason = flagged ? 'timeout' : 'resigned';
	} else if (/\+[RT]/i.test(result)) result = ''; // of an end that was taken back
	return { tree: { game: 1, width, height, rule, result, reason, ...facts, root: to }, outcome };
}
