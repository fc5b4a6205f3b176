// The rules as far as the page knows them itself, for when the program that serves it does not
// answer: who has made a row. Forbidden points of renju it does not know.

import { sideAt, pos } from './game.js';
import { pass } from './tree.js';

const exactly = 1, renju = 4, caro = 8; // bits of a rule

// look returns the look of a position as the program does, but without forbidden points and
// threats.
export function look(game, moves) {
	const { width, height, rule } = game;
	const color = new Map(moves.map((cell, i) => [cell, sideAt(i)]).filter(([cell]) => cell !== pass));
	const answer = { side: sideAt(moves.length), forbidden: '', rows: [] };
	const last = moves[moves.length - 1], mine = color.get(last);
	if (mine) {
		for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [-1, 1]]) {
			const at = (n) => {
				const x = last % width + n * dx, y = Math.floor(last / width) + n * dy;
				return x >= 0 && x < width && y >= 0 && y < height ? y * width + x : null;
			};
			let from = 0, to = 0;
			while (color.get(at(from - 1)) === mine) from--;
			while (color.get(at(to + 1)) === mine) to++;
			const n = to - from + 1;
			const exact = rule & exactly || rule & renju && mine === 'black';
			const enemy = (cell) => cell !== null && color.has(cell) && color.get(cell) !== mine;
			const capped = rule & caro && n === 5 && enemy(at(from - 1)) && enemy(at(to + 1));
			if (n < 5 || exact && n > 5 || capped) continue;
			answer.rows.push(pos(game, Array.from({ length: n }, (_, i) => at(from + i))));
		}
	}
	if (answer.rows.length) answer.over = mine;
	else delete answer.rows;
	if (!answer.over && color.size === width * height) answer.over = 'draw';
	return answer;
}
