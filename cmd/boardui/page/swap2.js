// Swap2: one side places three stones; the other takes a color, or places two more and leaves the
// choice to the first.
//
// During it game.swap is {step, engine, least}: what is done now, the number of the engine, and
// the stones that cannot be taken back.

import { state, changed, toast, cellsOf } from './state.js';
import { person, other, sideToMove } from './game.js';
import { add, follow, proceed } from './play.js';
import { t } from './text.js';
import { ask } from './thinking.js';

// placing reports whether a person places the stones of the opening.
export const placing = () => ['place3', 'place2'].includes(state.game.swap?.step);

// next goes on from the last position: an engine whose turn it is answers, unless the game has
// changed since the moment that mine stands for.
export async function next(mine) {
	const { game } = state, { swap } = game;
	const n = game.moves.length;
	if (swap.step === 'place3' && n === 3) swap.step = 'think3';
	if (swap.step === 'place2' && n === 5) swap.step = 'think5';
	changed();
	if (!['three', 'think3', 'think5'].includes(swap.step) || game.paused) return;
	const answer = await ask(mine, swap.engine, sideToMove(game), { swap2: true });
	if (!answer) return;
	if (answer.swap) {
		takeSides('white', t('engineSwaps'));
		return proceed();
	}
	const cells = cellsOf(answer.moves);
	follow(() => cells.forEach((cell) => add(cell)));
	if (swap.step === 'three') {
		swap.step = 'choose3';
		game.opening = 3;
	} else if (cells.length === 2) {
		swap.step = 'choose5';
		game.opening = 5;
	} else {
		takeSides('black', t('engineStays'));
	}
	return proceed(answer.look);
}

// takeSides ends swap2 with the person as color.
function takeSides(color, why) {
	const { game } = state;
	const { engine, least } = game.swap;
	game.opening = Math.max(game.moves.length >= 5 ? 5 : 3, least);
	game.opening = Math.min(game.opening, game.moves.length);
	game.swap = null;
	game.players = { [color]: person, [other(color)]: engine };
	const text = (why ? why + t('stop') : '') + t('youAre', { who: t(color) });
	toast(text);
}

// choose takes a color in swap2, or places two more stones: black, white or two.
export function choose(what) {
	const { swap } = state.game;
	if (what === 'two') {
		swap.step = 'place2';
		swap.least = state.game.moves.length;
	} else {
		takeSides(what);
	}
	proceed();
}
