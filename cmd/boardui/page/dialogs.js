// The dialogs: a new game, files and positions, help.

import * as api from './api.js';
import { start, load } from './play.js';
import { state, over, wrongText } from './state.js';
import { person, other, names, parseNames, parsePos, presets, you } from './game.js';
import { t } from './text.js';

const $ = (id) => document.getElementById(id);
const rules = [0, 1, 4, 8, 9];

function fill(select, list, value) {
	select.replaceChildren(...list.map(([v, text]) => new Option(text, v)));
	select.value = value;
}

const checked = (name) => document.querySelector(`input[name=${name}]:checked`)?.value;

function check(name, value) {
	const input = document.querySelector(`input[name=${name}][value="${value}"]`);
	if (input) input.checked = true;
	return Boolean(input);
}

// newGame opens the dialog of a new game, with the settings of the current one.
export function newGame() {
	const { game, engines } = state;
	const list1 = engines.map((e, i) => [i, e.name]);
	const { black, white } = game.players;
	const list = [black, white].filter((p) => p !== person);
	fill($('engine-1'), list1, list[0] ?? 0);
	fill($('engine-2'), list1, list[1] ?? Math.min(1, engines.length - 1));
	check('side', you(game) || (list.length ? 'none' : 'both'));
	fill($('rule'), rules.map((r) => [r, t('rule' + r)]), rules.includes(game.rule) ? game.rule : 0);
	$('opening').value = game.from;
	const width = presets[game.from] ? 15 : game.width;
	if (game.width !== game.height || !check('size', width)) clear('size');
	$('size').value = width;
	adapt();
	$('new-dialog').returnValue = '';
	$('new-dialog').showModal();
}

function clear(name) {
	for (const input of document.querySelectorAll(`input[name=${name}]`)) input.checked = false;
}

// adapt disables what cannot be combined with the current choice.
function adapt() {
	const side = checked('side'), opening = $('opening').value;
	const swap = opening.startsWith('swap2');
	$('engine-2').hidden = side !== 'none';
	$('new-dialog').querySelector('.engines').hidden = side === 'both' || (state.engines.length < 2 && side !== 'none');
	for (const option of $('opening').options) {
		if (option.value.startsWith('swap2')) option.disabled = side === 'both' || side === 'none';
	}
	if (swap && (side === 'both' || side === 'none')) $('opening').value = '';
	for (const input of $('size-choice').querySelectorAll('input')) input.disabled = Boolean(presets[opening]);
	if (presets[opening] && !check('size', presets[opening].width)) clear('size');
	if (presets[opening]) $('size').value = presets[opening].width;
	$('rule-text').textContent = t('ruleText' + $('rule').value);
}

function begin() {
	const side = checked('side');
	const one = Number($('engine-1').value), two = Number($('engine-2').value);
	const players = {
		black: { black: person, white: one }, white: { black: one, white: person },
		both: { black: person, white: person }, none: { black: one, white: two },
	}[side];
	const size = Math.min(Math.max(Math.round(Number($('size').value)) || 15, 5), 22);
	const { level, style, millis, second } = state.game;
	start({ ...players, width: size, height: size, rule: Number($('rule').value), level, style, millis, second: second && { ...second }, from: $('opening').value });
}

// files opens the dialog of files, which also shows the position as text.
export function files() {
	$('pos').value = names(state.game, state.game.moves);
	$('files-wrong').textContent = '';
	$('found').hidden = true;
	$('files-dialog').showModal();
}

function wrong(text) {
	$('files-wrong').textContent = text;
}

async function save(format) {
	const { game, engines } = state;
	const name = (p) => p === person ? t('person') : engines[p]?.name || 'engine';
	try {
		const text = await api.save(game, format, {
			black: name(game.players.black), white: name(game.players.white), outcome: over(),
			reason: game.resigned ? 'resigned' : over() ? 'normal' : '', date: game.date, millis: game.took.map((x) => Math.round(x) || 0),
		});
		const link = document.createElement('a');
		link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
		link.download = `tengen-${game.date}.${format}`;
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 1000);
	} catch (error) {
		wrong(wrongText(error));
	}
}

// readFile reads a file of games, from which the user chooses if there are several.
export async function readFile(file) {
	try {
		if (file.size > 512 * 1024) throw new api.Wrong('big', file.name);
		const games = await api.open(state.game, await file.text());
		if (games.length === 1) {
			$('files-dialog').close();
			return take(games[0]);
		}
		const list = $('found');
		list.replaceChildren(...games.map((game) => {
			const item = document.createElement('li'), b = document.createElement('button');
			b.type = 'button';
			b.textContent = t('gameOf', { b: game.black || t('black'), w: game.white || t('white'), n: (game.moves.match(/[a-z]/g) || []).length });
			b.addEventListener('click', () => { $('files-dialog').close(); take(game); });
			item.append(b);
			return item;
		}));
		list.hidden = false;
		if (!$('files-dialog').open) $('files-dialog').showModal();
	} catch (error) {
		if (!$('files-dialog').open) files();
		wrong(`${t('badFile')}: ${error.code === 'format' ? error.message : wrongText(error)}`);
	}
}

function take(game) {
	const cells = parsePos(game.moves, game.width, game.height);
	const resigned = game.reason === 'resigned' && ['black', 'white'].includes(game.outcome) ? other(game.outcome) : null;
	if (cells) load({ width: game.width, height: game.height, rule: game.rule, opening: game.opening, resigned }, cells, game.millis || []);
}

// readPos loads a position from text. It returns false if the text is not a position.
export async function readPos(text) {
	const { game } = state;
	const cells = parseNames(text, game.width, game.height);
	if (!cells || !cells.length) return false;
	await api.look({ ...game, moves: cells }, cells, false); // throws if the position is wrong
	load({ width: game.width, height: game.height, rule: game.rule }, cells);
	return true;
}

async function loadPos() {
	try {
		if (await readPos($('pos').value)) $('files-dialog').close();
		else wrong(t('badPos'));
	} catch (error) {
		wrong(wrongText(error));
	}
}

// copy puts text on the clipboard and returns whether it could. Pages without https may not
// use the clipboard by themselves, but a command of the person's may: to copy what is selected.
export async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch { /* as above */ }
	const box = document.createElement('textarea');
	box.value = text;
	box.readOnly = true;
	box.className = 'unseen';
	const back = document.activeElement;
	(document.querySelector('dialog[open]') || document.body).append(box);
	box.select();
	const done = document.execCommand('copy');
	box.remove();
	back?.focus();
	return done;
}

async function copyPos(note) {
	$('pos').value = names(state.game, state.game.moves.slice(0, state.view));
	if (await copy($('pos').value)) return note(t('copied'));
	$('pos').select();
	note(t('copyYourself'));
}

export function help() {
	const box = $('help-text');
	box.replaceChildren(...t('helpText').flatMap(([title, text]) => {
		const h = document.createElement('h3'), p = document.createElement('p');
		h.textContent = title;
		p.textContent = text;
		return text ? [h, p] : [h];
	}));
	const keys = document.createElement('dl');
	for (const [key, what] of t('keys')) {
		const dt = document.createElement('dt'), dd = document.createElement('dd');
		dt.textContent = key;
		dd.textContent = what;
		keys.append(dt, dd);
	}
	box.append(keys);
	$('help-dialog').showModal();
	$('help-dialog').scrollTop = 0; // the focus has scrolled it to the end
}

// listen connects the dialogs; note shows a short text.
export function listen(note) {
	$('new-dialog').addEventListener('change', (event) => {
		if (event.target.name === 'size') $('size').value = event.target.value;
		if (event.target.id === 'size' && !check('size', event.target.value)) clear('size');
		adapt();
	});
	$('new-dialog').addEventListener('close', () => { if ($('new-dialog').returnValue === 'ok') begin(); });
	$('save-psq').addEventListener('click', () => save('psq'));
	$('save-sgf').addEventListener('click', () => save('sgf'));
	$('open-file').addEventListener('click', () => $('file').click());
	$('file').addEventListener('change', async () => {
		const [file] = $('file').files;
		if (file) await readFile(file);
		$('file').value = '';
	});
	$('copy').addEventListener('click', () => copyPos(note));
	$('load').addEventListener('click', loadPos);
	for (const dialog of document.querySelectorAll('dialog')) {
		// A click beside the dialog hits its backdrop. Cancel does not submit, so that Enter starts.
		dialog.addEventListener('click', (event) => { if (event.target === dialog || 'close' in event.target.dataset) dialog.close(''); });
	}
}
