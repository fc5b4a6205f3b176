// Requests to the program that serves the page.

import { pos } from './game.js';
import * as rules from './rules.js';

// A Wrong is an error with a code, for which words.json has a text.
export class Wrong extends Error {
	constructor(code, text) {
		super(text);
		this.code = code;
	}
}

let start = null;        // of the program: what its replies say; empty if it did not run, null before it was asked
let started = () => {};
let tables = false;      // the last report came from an engine that could not load its network
let weaker = () => {};

// listen sets the functions that are called: f when another program answers than the one that told of
// its engines, and g when an engine begins to play without its network, since it could not load it.
export function listen(f, g) {
	started = f;
	weaker = g;
}

// fault is what a refusal says: a Wrong, or a SyntaxError if it is no answer of the program.
async function fault(response) {
	const { code, error } = await response.json();
	return new Wrong(code, error);
}

async function request(path, body, signal, type = 'application/json', headers = {}) {
	let response;
	try {
		response = await fetch(path, {
			method: 'POST', headers: { 'Content-Type': type, ...headers }, body: type === 'application/json' ? JSON.stringify(body) : body, signal,
		});
	} catch (error) {
		if (error.name === 'AbortError') throw error;
		throw new Wrong('gone', String(error));
	}
	const now = response.headers.get('Tengen-Start');
	if (now && start !== null && start !== now) {
		start = now;
		started();
	}
	if (!response.ok) throw await fault(response).catch(() => new Wrong('request', response.statusText));
	return response;
}

const position = (game, moves) => ({
	game: game.id, width: game.width, height: game.height, rule: game.rule, moves: pos(game, moves),
});

// about tells of the program: its engines and what it allows.
export async function about() {
	try {
		const response = await fetch('/api/about');
		if (!response.ok) throw await fault(response);
		const answer = await response.json();
		start = response.headers.get('Tengen-Start');
		return answer;
	} catch (error) {
		start = '';
		throw error instanceof Wrong ? error : new Wrong('gone', String(error));
	}
}

// addresses are those of the page for other computers: {urls, code}, with the first as the rows of
// a QR code.
export const addresses = async () => (await fetch('/api/addresses')).json();

// look gets the look of the position after moves.
export async function look(game, moves, threats) {
	try {
		return await (await request('/api/look', { ...position(game, moves), threats })).json();
	} catch (error) {
		if (error.code !== 'gone') throw error;
		return rules.look(game, moves); // people can play on
	}
}

// turn returns a number that grows from request to request, also where a page is loaded again.
const turn = () => Math.floor((performance.timeOrigin + performance.now()) * 1000);

// stream makes a request that is answered by a stream of events. It ends the one of the same game
// that was asked for before, whichever arrives first. It calls tell with every event but the last,
// for which last(event) is true, and returns that. Errors: Wrong, and AbortError after the signal.
async function stream(path, body, signal, tell, last) {
	const response = await request(path, body, signal, undefined, { 'Tengen-Turn': turn() });
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = '';
	for (;;) {
		let chunk;
		try {
			chunk = await reader.read();
		} catch (error) {
			if (error.name === 'AbortError') throw error;
			throw new Wrong('gone', String(error));
		}
		if (chunk.done) throw new Wrong('gone', 'the answer is incomplete');
		const lines = (rest + chunk.value).split('\n');
		rest = lines.pop();
		for (const line of lines) {
			const event = JSON.parse(line);
			if (event.code) throw new Wrong(event.code, event.error);
			if (event.report && tables !== Boolean(event.report.tables)) {
				tables = !tables;
				if (tables) weaker();
			}
			if (last(event)) return event;
			tell(event);
		}
	}
}

// asks returns a function that asks what a position has, answered by a stream; see stream.
const asks = (what, last) => (game, moves, order, signal, tell = () => {}) => stream('/api/' + what, { ...position(game, moves), ...order }, signal, tell, last);
const moved = (event) => event.swap || event.moves;
const done = (event) => event.done;

// think asks an engine for a move: the last event is the answer. analyze searches a position until
// the signal, or until there is nothing more to search. solve looks for forced wins.
export const think = asks('think', moved);
export const analyze = asks('analyze', moved);
export const solve = asks('solve', done);

// review judges the moves of a game, judge one move. puzzles lists those of a rule and a level;
// attempt has a move of one checked.
export const review = asks('review', moved);
export const judge = asks('judge', moved);
export const attempt = asks('attempt', done);
export const puzzles = async (game, order) => (await request('/api/puzzles', { game: game.id, ...order })).json();

// explore gets what is known of a position; feed adds the positions of a file to that.
export const explore = async (game, moves) => (await request('/api/explore', position(game, moves))).json();
export const feed = async (game, file) => (await request(`/api/feed?game=${game.id}&rule=${game.rule}`, file, null, 'application/octet-stream')).json();

// opening asks how an opening goes on after some choices, or for the choice of the engine.
export const opening = ({ id, width, height, rule }, order) => stream('/api/opening', { game: id + '-o', width, height, rule, ...order }, null, () => {}, (event) => event.known);

// quit ends the program that serves the page.
export const quit = (game) => request('/api/quit', { game: game.id });

// point is the name of a cell in requests.
export const point = (game, cell) => pos(game, [cell]);

// hurry ends the search for the game with its answer.
export const hurry = (game) => request('/api/hurry', { game: game.id });

// open reads the games of {data}, a file in base64, or {text}. Moves as text are of the board of
// the game, with rows from the bottom or, if there is {top}, from there.
export async function open({ id, rule, width, height }, what) {
	return (await request('/api/open', { game: id, rule, width, height, ...what })).json();
}

// save returns {data}: a file in base64, in format psq, sgf or lib.
export async function save(game, format, facts) {
	return (await request('/api/save', { game: game.id, format, ...facts })).json();
}
