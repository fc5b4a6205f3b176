// Clocks. game.clock is null or {main, increment, byo, periods, left}: milliseconds of main time,
// milliseconds added after each move, milliseconds of a byo-yomi period and how many there are,
// and what is left, {black: {main, periods}, white}. A limit for each move alone is one period
// without main time.

import { state, speak } from './state.js';
import { person, sideToMove } from './game.js';
import { t } from './text.js';

const most = 120_000;   // milliseconds, the server's limit for one move
const day = 86_400_000; // and for a game
const often = 5000;     // milliseconds that a page which ends without a word may forget

// parse reads MAIN+INCREMENT or MAIN+INCREMENT+PERIODSxBYO, in seconds; null for other text.
export function parse(text) {
	const m = /^(\d+)\+(\d+)(?:\+(\d+)x(\d+))?$/.exec(text);
	if (!m) return null;
	const [main, increment, periods, byo] = m.slice(1).map((x) => Number(x || 0));
	if (!main && !(periods && byo) || Math.max(main, increment, byo) * 1000 > day) return null;
	return { main: main * 1000, increment: increment * 1000, byo: periods ? byo * 1000 : 0, periods: byo ? periods : 0 };
}

// set gives both sides of a new game their time.
export function set(game, spec) {
	game.clock = spec && { ...spec, left: { black: { main: spec.main, periods: spec.periods }, white: { main: spec.main, periods: spec.periods } } };
}

// after is what a side has left when it has thought for ms milliseconds: {main, periods,
// period}, where period is what is left of the current period, or null if its flag has fallen.
function after(clock, color, ms) {
	const { main, periods } = clock.left[color];
	if (ms < main) return { main: main - ms, periods, period: clock.byo };
	const over = ms - main;
	const used = clock.byo ? Math.floor(over / clock.byo) : Infinity;
	return used < periods ? { main: 0, periods: periods - used, period: clock.byo - over % clock.byo } : null;
}

let key = '';   // of the position that is thought about
let since = 0;  // when that began or went on, 0 while the clocks stand
let spent = 0;  // milliseconds before that
let warned = false;

const keyOf = (game) => `${game.id} ${game.moves.join()}`;

// mine reports whether the clock is that of the game as it is, which another has of its own; runs
// whether it runs there.
const mine = () => key === keyOf(state.game);
const runs = () => since > 0 && mine();

// save notes the time of a person's move in its node, which is kept with the game, and returns
// whether there is any.
export function save() {
	const { game } = state, any = game?.clock && mine() && game.players[sideToMove(game)] === person;
	if (any) game.line.at(-1).spent = elapsed();
	return any;
}

// run lets the clock of the side to move run, or lets it go on.
export function run() {
	const { game } = state;
	const now = game.clock && !(game.moves.length === game.opening && game.players[sideToMove(game)] === person) ? keyOf(game) : '';
	if (now === key && since) return;
	if (now !== key || game.players[sideToMove(game)] !== person) stop(); // an engine begins to think anew
	if (now !== key) spent = game.line.at(-1).spent || 0;
	key = now;
	since = now ? Date.now() : 0;
}

// stop stops the clocks and forgets the time of the move.
export function stop() {
	key = '';
	since = spent = 0;
	warned = false;
}

// rest stops the clocks until run lets them go on.
export function rest() {
	run(); // takes up the time of this position
	spent = elapsed();
	since = 0;
}

// turned lets the clock run on while change turns the board, and returns what that does.
export function turned(change) {
	const was = mine(), moved = change();
	if (was) key = keyOf(state.game);
	return moved;
}

// elapsed is what the side to move has thought so far.
export const elapsed = () => mine() ? spent + (since && Date.now() - since) : 0;

// charge takes the time of a move from a side's clock. It returns false if the flag has fallen.
export function charge(color, ms = 0) {
	const { clock } = state.game;
	if (!clock || !mine()) return true;
	const left = after(clock, color, ms);
	stop();
	delete state.game.line.at(-1).spent;
	if (!left) {
		clock.left[color] = { main: 0, periods: 0 };
		return false;
	}
	clock.left[color] = { main: left.main + clock.increment, periods: left.periods };
	return true;
}

// order is what an engine gets to know of its clock.
export function order(color) {
	const { clock } = state.game;
	if (!clock) return {};
	const { main } = clock.left[color];
	// While the main time is more than a period, it is divided over the game.
	if (main > clock.byo) return { millis: Math.min(main + clock.byo, most), match: clock.main, left: Math.min(main, day), increment: clock.increment };
	return { millis: Math.max(Math.min(main + clock.byo, most), 1) };
}

const pad = (n) => String(n).padStart(2, '0');

function text(ms) {
	const s = Math.max(ms, 0) / 1000;
	if (s < 10) return s.toFixed(1);
	const whole = Math.ceil(s), h = Math.floor(whole / 3600);
	return h ? `${h}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}` : `${Math.floor(whole / 60)}:${pad(whole % 60)}`;
}

// draw shows the clocks and returns the color whose flag has fallen, or null.
export function draw() {
	const { game } = state;
	if (state.thinking?.wait >= 0 && since) [since, spent] = [Date.now(), 0]; // it waits for threads
	let fallen = null;
	for (const color of ['black', 'white']) {
		const box = document.getElementById('clock-' + color);
		box.hidden = !game.clock;
		if (!game.clock) continue;
		const moving = runs() && sideToMove(game) === color;
		const left = after(game.clock, color, sideToMove(game) === color ? elapsed() : 0);
		if (!left) fallen = moving ? color : fallen;
		const { main, periods, period } = left || { main: 0, periods: 0, period: 0 };
		const now = text(main > 0 ? main : period) + (periods ? ` (${periods})` : '');
		if (box.textContent !== now) box.textContent = now;
		const low = (main > 0 ? main + periods * game.clock.byo : periods > 1 ? Infinity : period) < 10_000;
		box.classList.toggle('low', low);
		box.classList.toggle('runs', moving);
		if (low && moving && !warned && game.players[color] === person) {
			warned = true;
			speak(t('tenSeconds'));
		}
	}
	return fallen;
}

// listen calls flag(color) when a person's flag falls, and store() every few seconds of a move.
export function listen(flag, store) {
	setInterval(() => {
		if (!state.game?.clock) return;
		const color = draw();
		if (color && state.game.players[color] === person) flag(color);
		else if (runs() && elapsed() - (state.game.line.at(-1).spent || 0) >= often) store();
	}, 200);
}
