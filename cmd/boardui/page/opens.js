// Opening rules: how the first stones are placed and who then plays which color. The
// program knows the rules; this module shows what may be chosen, and asks the engine to choose.
//
// During an opening game.swap is {step: 'opens', rule, choices, seats, history, now}: choices are
// texts, seats the players first and second, history the numbers of choices before which a person
// chose, and now the answer of the program, which says what is next.

import * as api from './api.js';
import { wait } from './dom.js';
import { state, changed, speak, toast, refuse, fail, atEnd, cellsOf } from './state.js';
import { person, inOpening, cellName, you } from './game.js';
import { proceed } from './play.js';
import * as store from './store.js';
import * as tree from './tree.js';
import { t } from './text.js';

let busy = null; // the opening for which a choice is under way

function leave(swap) {
	if (busy === swap) busy = null;
}

// mine reports whether a person chooses now.
export const mine = () => Boolean(state.game.swap.now) && state.game.swap.seats[state.game.swap.now.by] === person;

// onCell is the action of the step that names a cell: put, offer, pick, or undefined.
const onCell = () => state.game.swap.now?.actions.find((a) => ['put', 'offer', 'pick'].includes(a));

export const mayPlace = () => atEnd() && mine() && Boolean(onCell());

// take takes over what the program answered.
function take(game, answer) {
	const { swap } = game, stones = cellsOf(answer.stones);
	let n = 0;
	while (n < stones.length && stones[n] === game.moves[n]) n++;
	tree.cut(game, n); // what is said of the stones before stays
	stones.slice(n).forEach((cell, i) => tree.add(game, n + i, cell));
	game.opening = stones.length;
	swap.choices = answer.choices || [];
	swap.now = answer;
	game.crossed = answer.black !== 'first';
	game.players = { black: swap.seats[answer.black], white: swap.seats[game.crossed ? 'first' : 'second'] };
	state.view = game.moves.length;
	if (!answer.done) return;
	game.swap = null;
	const color = you(game);
	if (color) {
		toast(t('youAre', { who: t(color) }));
	}
}

// next asks what is to be chosen, and lets the engine choose if it is its turn. Play goes on
// by calling proceed.
export async function next() {
	const { game } = state, { swap } = game;
	const ask = async (choose, choices = swap.choices) => {
		const answer = await api.opening(game, { opening: swap.rule, choices, choose });
		return state.game === game && game.swap === swap ? answer : null;
	};
	try {
		if (!swap.now) {
			const answer = await wait(ask(false));
			if (!answer) return;
			take(game, answer);
			store.keep(game);
			changed();
			if (!game.swap) return proceed();
		}
		if (mine() || game.paused || busy === swap) return changed(); // the page may have been drawn without this module
		busy = swap;
		state.thinking = { color: swap.now.move, report: null, wait: -1 };
		changed();
		const answer = await ask(true);
		leave(swap);
		if (!answer || game.paused) return;
		state.thinking = null;
		const said = answer.choices.slice(swap.choices.length).map(inWords).join(t('comma'));
		take(game, answer);
		if (said && !/^(put|offer)/.test(answer.choices.at(-1)) && game.swap) toast(said);
		else speak(said);
		proceed();
	} catch (error) {
		leave(swap);
		if (state.game === game && game.swap === swap) {
			state.thinking = null;
			fail(error);
		}
	}
}

// inWords is a choice as people read it.
function inWords(choice) {
	const [action, what] = choice.split(' ');
	const [cell] = ['put', 'offer', 'pick'].includes(action) ? cellsOf(what) : [];
	return t('did.' + action, { m: cell === undefined ? what : cellName(state.game, cell) });
}

// choose takes a choice of a person.
export async function choose(choice) {
	const { game } = state, { swap } = game;
	if (!mine() || busy === swap) return;
	busy = swap;
	try {
		const answer = await wait(api.opening(game, { opening: swap.rule, choices: [...swap.choices, choice], choose: false }));
		leave(swap);
		if (state.game !== game || game.swap !== swap) return;
		swap.history.push(swap.choices.length);
		take(game, answer);
		speak(inWords(choice));
		proceed();
	} catch (error) {
		leave(swap);
		if (state.game === game && game.swap === swap) fail(error);
	}
}

// place takes a click on the board.
export function place(cell) {
	const { game } = state;
	if (!mayPlace()) return refuse(cell, t('notYours'));
	if (!cellsOf(game.swap.now.cells).includes(cell)) return refuse(cell, t('notAllowed', { m: cellName(game, cell) }));
	choose(`${onCell()} ${api.point(game, cell)}`);
}

export const mayTakeBack = () => inOpening(state.game) && state.game.swap.history.length > 0;

// takeBack takes back the last choice of a person, and those of the engine after it.
export async function takeBack() {
	const { game } = state, { history, choices } = game.swap;
	const swap = game.swap = { ...game.swap, choices: choices.slice(0, history.pop()), now: null };
	const current = () => state.game === game && game.swap === swap;
	state.thinking = null;
	try {
		const answer = await wait(api.opening(game, { opening: swap.rule, choices: swap.choices, choose: false }));
		if (!current()) return;
		take(game, answer);
		proceed();
	} catch (error) {
		if (current()) fail(error);
	}
}

// banner returns what the line above the board says while the opening is not paused, see panel.js.
export function banner() {
	const { swap } = state.game, { now } = swap;
	const name = t('opens.' + swap.rule);
	if (!now) return { text: name };
	if (!mine()) return { text: name + t('colon') + t('engineDecides') };
	const two = swap.seats.first === swap.seats.second;
	const who = two ? t('seat.' + now.by) + t('comma') : '';
	const action = onCell();
	const buttons = now.actions.filter((a) => a !== action && a !== 'declare').map((a) => ['do.' + a, 'opens:' + a]);
	const asked = action ? t('ask.' + action, { who: t(now.move), n: cellsOf(now.stones).length + 1, k: now.left }) : t(now.most ? 'ask.declare' : 'ask.swap', { who: t(now.black === now.by ? 'black' : 'white') });
	return { text: name + t('colon') + who + asked, buttons, most: now.most };
}

// label is that of an offer, 5a and so on; one beyond the letters has its number.
const label = (i) => i < 26 ? `${state.game.moves.length + 1}${String.fromCharCode(97 + i)}` : i + 1;

// marks are the offers and, where not all are, the legal cells.
export function marks() {
	if (!inOpening(state.game) || !state.game.swap.now) return { badges: [], dots: [] };
	const { now } = state.game.swap, { width, height, moves } = state.game;
	const legal = onCell() && mine() ? cellsOf(now.cells) : [];
	const pick = now.actions.includes('pick');
	return {
		badges: cellsOf(now.offers).map((cell, i) => ({ cell, text: label(i), best: pick })),
		dots: pick || legal.length > (width * height - moves.length) / 2 ? [] : legal,
	};
}
