// Requests to the program that serves the page.

import { pos } from './game.js';

// A Wrong is an error with a code, for which text.js has a text.
export class Wrong extends Error {
	constructor(code, text) {
		super(text);
		this.code = code;
	}
}

async function request(path, body, signal) {
	let response;
	try {
		response = await fetch(path, {
			method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal,
		});
	} catch (error) {
		if (error.name === 'AbortError') throw error;
		throw new Wrong('gone', String(error));
	}
	if (!response.ok) {
		let fault = {};
		try { fault = await response.json(); } catch { /* an error in plain text */ }
		throw new Wrong(fault.code || 'request', fault.error || response.statusText);
	}
	return response;
}

const position = (game, moves) => ({
	game: game.id, width: game.width, height: game.height, rule: game.rule, moves: pos(game, moves),
});

export async function about() {
	try {
		return await (await fetch('/api/about')).json();
	} catch (error) {
		throw new Wrong('gone', String(error));
	}
}

// look gets the look of the position after moves.
export async function look(game, moves, threats) {
	return (await request('/api/look', { ...position(game, moves), threats })).json();
}

// think asks an engine for a move and calls tell with every event. It returns the last event,
// the answer. Errors: Wrong, and AbortError after the signal.
export async function think(game, moves, order, signal, tell) {
	const response = await request('/api/think', { ...position(game, moves), ...order }, signal);
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
			if (event.swap || event.moves) return event;
			tell(event);
		}
	}
}

// hurry ends the search for the game with its answer.
export const hurry = (game) => request('/api/hurry', { game: game.id });

export async function open(game, text) {
	return (await request('/api/open', { game: game.id, text, rule: game.rule })).json();
}

// save returns the text of a file in format psq or sgf.
export async function save(game, format, facts) {
	return (await (await request('/api/save', { ...position(game, game.moves), opening: game.opening, format, ...facts })).json()).text;
}
