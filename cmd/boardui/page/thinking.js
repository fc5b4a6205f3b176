// The thinking of engines about their moves.

import * as api from './api.js';
import * as clock from './clock.js';
import { state, changed, fail, keepScore } from './state.js';
import { dialsOf, sideToMove } from './game.js';
import { strengthOf } from './levels.js';

// The minimum time in milliseconds until an engine's stone appears: one that appears together
// with the person's own is hard to notice.
const leastPause = 200;

// Counts changes of the game. Answers to requests before the last change are dropped.
export let turn = 0;
let thinking = null; // AbortController

// halt ends the thinking: the game changes.
export function halt() {
	turn++;
	thinking?.abort();
	thinking = null;
	state.thinking = null;
}

// ask asks an engine about the last position and returns its answer, or null if the game has
// changed meanwhile.
export async function ask(mine, engine, color, extra = {}) {
	const { game } = state;
	const mover = sideToMove(game), ply = game.moves.length, dials = dialsOf(game, color);
	const strong = !extra.swap2 && fullStrength(engine, dials); // in swap2 reports are about positions to come
	const asked = Date.now();
	thinking = new AbortController();
	state.thinking = { color, report: null, wait: -1 };
	changed();
	try {
		const answer = await api.think(game, game.moves, {
			engine, millis: dials.millis, strength: strengthOf(dials.level), style: dials.style, threats: state.settings.threats, ...(game.swap ? {} : clock.order(color)), ...extra,
		}, thinking.signal, (event) => {
			if (mine !== turn) return;
			if (event.wait !== undefined) state.thinking.wait = event.wait;
			if (event.report?.line === 1) {
				state.thinking.wait = -1;
				state.thinking.report = { ...state.thinking.report, ...event.report };
				if (strong) keepScore(ply, mover, event.report);
			}
			changed();
		});
		const rest = leastPause - (Date.now() - asked);
		if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
		if (mine !== turn) return null;
		if (answer.report && strong) keepScore(ply, mover, answer.report);
		state.thinking = null;
		return answer;
	} catch (error) {
		if (mine === turn) {
			state.thinking = null;
			fail(error);
		}
		return null;
	}
}

// fullStrength reports whether an engine thinks about its move as well as it can. The value that
// the built-in one gives at a lower level is a guess, which score.js replaces.
export const fullStrength = (engine, dials) => !state.engines[engine]?.own || strengthOf(dials.level) === 100;

// moveNow lets the engine that thinks move at once.
export function moveNow() {
	if (state.thinking) api.hurry(state.game).catch(fail);
}
