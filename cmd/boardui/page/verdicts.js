// What a review found about moves, as marks on the board and on the curve.

import { state } from './state.js';

export const signs = { inaccuracy: '?!', mistake: '?', blunder: '??' };

// notes are the marks on the board of the position shown: the sign of the last move, and where
// it would have been better.
export function notes() {
	const { game, view } = state, last = game.line[view];
	const kind = last?.review?.class;
	if (!signs[kind]) return [];
	const list = [{ cell: last.cell, text: signs[kind], kind }];
	const [better] = last.review.better;
	if (better !== undefined && !game.moves.slice(0, view).includes(better)) list.push({ cell: better, text: '★', kind: 'better' });
	return list;
}

// plotMarks are the points of the curve with a mistake: [number of stones, class].
export const plotMarks = () => state.game.line.flatMap((node, k) => signs[node.review?.class] ? [[k, node.review.class]] : []);
