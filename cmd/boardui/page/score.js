// The score of the position shown, from a short search at full strength whatever the level of
// the opponent.

import * as api from './api.js';
import * as store from './store.js';
import { state, changed, over, atEnd, keepScore } from './state.js';
import { dialsOf, person, sideAt } from './game.js';
import { fullStrength } from './thinking.js';

const delay = 120; // milliseconds that a position must be shown for

let asking = null; // AbortController
let timer = 0;

// toldBy reports whether the score of the position before the last move is that of the engine that made
// the move, and so of the position after it, too. A person, or a weak engine, may have made a mistake.
function toldBy({ game, view }) {
	const color = sideAt(view - 1), player = game.players[color];
	return view > 0 && game.scores[view - 1] && player !== person && fullStrength(player, dialsOf(game, color));
}

// score gets the score of the position shown unless it is known from a search before, or no program is
// there that has an engine.
export function score() {
	clearTimeout(timer);
	asking?.abort();
	const { game, view } = state;
	const known = game.scores[view] || toldBy(state);
	if (!state.connected || known || state.puzzle || state.analyzing || game.swap || state.look?.over || (atEnd() && over()) || document.hidden) return;
	timer = setTimeout(() => ask(game, view), delay);
}

async function ask(game, view) {
	if (state.thinking) return;
	const mine = asking = new AbortController();
	const node = game.line[view];
	try {
		const answer = await api.think({ ...game, id: game.id + '-s' }, game.moves.slice(0, view), {
			engine: state.engines.length - 1, millis: 2000, strength: 100, style: 0, score: true,
		}, mine.signal, () => {});
		if (game !== state.game || game.line[view] !== node || !answer.report) return;
		keepScore(view, sideAt(view), answer.report);
		store.keep(game);
		changed();
	} catch { /* a score is not worth a message: the next request shows what is wrong */ }
}

document.addEventListener('visibilitychange', () => { if (state.look) score(); }); // what was not asked for while nobody saw it
