// Games in and out: files, text that is pasted or dropped, and the link that shares a position.
// The server reads and writes the formats.

import * as api from './api.js';
import { $, element } from './dom.js';
import { use } from './later.js';
import { load } from './play.js';
import { state, over, toast, wrongText } from './state.js';
import { names, parseNames, newGame } from './game.js';
import * as record from './record.js';
import { look } from './rules.js';
import * as tree from './tree.js';
import { t } from './text.js';

// open shows the dialog.
export function open() {
	$('pos').value = names(state.game, state.game.moves);
	clear();
	$('files-dialog').showModal();
}

// clear takes away what the dialog says of the last thing that was opened.
function clear() {
	$('files-wrong').textContent = '';
	$('found').hidden = true;
}

function wrong(text) {
	if (!$('files-dialog').open) open();
	$('files-wrong').textContent = text;
}

// alone is the tree of one line without what is beside it.
const alone = (line) => line.reduceRight((next, node) => [{ ...node, next }], [])[0];

// facts returns what the server needs to write a game: of the line shown only for a format without
// variations.
function facts(game, format) {
	const only = format === 'psq', root = only ? alone(game.line) : game.root, main = record.end(root);
	const shown = only || main === game.line.at(-1);
	const { black, white, encoding, ...rest } = game.info || {};
	return {
		encoding,
		...record.write({ ...game, root }, {
			black: black || game.names.black || t('person'), white: white || game.names.white || t('person'),
			date: game.date, ...rest,
			outcome: shown && (game === state.game ? over() : game.result) || main.outcome || '',
			reason: 'outcome' in main && rest.reason || '', // what the file said of the end holds there only
		}),
	};
}

// offer lets the browser save data as a file.
export function offer(name, data, type = 'text/plain') {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(new Blob([data], { type }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// write returns the bytes of a file with a game.
export async function write(game, format) {
	const { data } = await api.save(state.game, format, facts(game, format)); // one page asks for all games
	return Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
}

// failure is what is said of what cannot be read or saved: so in the language of the page, then
// why. A link without a game says it all.
const failure = (key, error) => error.code === 'link' ? error.message : t(key) + t('colon') + (error.code === 'format' ? error.message : wrongText(error));

async function save(format) {
	const { game } = state;
	try {
		offer(`tengen-${game.date}.${format}`, await write(game, format));
	} catch (error) {
		wrong(failure('cannotSave', error));
	}
}

// readFile reads a file of games, from which the user chooses if there are several.
export async function readFile(file) {
	clear();
	try {
		if (file.size > 4 << 20) throw new api.Wrong('big', file.name);
		const plain = { ...state.game, rule: 0 }; // of a file that does not tell its rule
		const url = await new Promise((resolve, reject) => {
			const reader = new FileReader();
			reader.onload = () => resolve(reader.result);
			reader.onerror = () => reject(reader.error);
			reader.readAsDataURL(file);
		});
		offerFile(await api.open(plain, { data: url.slice(url.indexOf(',') + 1), encoding: $('encoding').value, top: /\.pos$/i.test(file.name) }));
	} catch (error) {
		wrong(failure('badFile', error));
	}
}

// readText reads games or moves from text and tells fault in words why it cannot.
export async function readText(text, fault) {
	try {
		await offerText(text);
	} catch (error) {
		fault(failure('badText', error));
	}
}

async function offerText(text) {
	const { game } = state;
	clear();
	if (!text.trim()) return;
	const shared = text.match(/#(moves=[^\s]*)/);
	if (shared) return fromLink('#' + shared[1]);
	const cells = parseNames(text, game.width, game.height);
	const stones = cells?.filter((cell) => cell !== tree.pass);
	if (stones?.length && new Set(stones).size === stones.length) { // one position, on any number of lines
		$('files-dialog').close();
		return take({ width: game.width, height: game.height, rule: game.rule, opening: 0, root: tree.grow(cells) });
	}
	offerFile(await api.open(game, { text }));
}

// offerFile shows the game of a file, or offers the first ones of all.
function offerFile(answer) {
	const { all } = answer, games = answer.games.map(({ tree: { game, ...facts }, ...more }) => ({ ...facts, ...more, ...record.read(facts, more.outcome) }));
	if (all === 1) {
		$('files-dialog').close();
		return take(games[0]);
	}
	const list = $('found');
	list.replaceChildren(...games.map((game) => {
		const item = element('li'), b = element('button', t('gameOf', { b: game.black || t('black'), w: game.white || t('white'), n: game.moves }));
		b.type = 'button';
		b.addEventListener('click', () => { $('files-dialog').close(); take(game); });
		item.append(b);
		return item;
	}));
	if (all > games.length) list.append(element('li', t('gamesFound', { n: games.length, all })));
	list.hidden = false;
	if (!$('files-dialog').open) $('files-dialog').showModal();
}

const continuous = 2; // a rule of files has this too if rows did not end the game

// made returns a game of the page for one of a file.
function made({ width, height, rule, opening, root, moves, remarks, ...info }) {
	const { level, style, millis } = state.game;
	const game = newGame('', { width, height, rule: rule & ~continuous, level, style, millis, white: -1 });
	game.root = root;
	game.info = info;
	game.opening = opening;
	tree.walk(root, (node) => {
		node.next ??= [];
		if (node.next.length) node.on = 0;
	});
	Object.assign(game.names, { black: info.black || '', white: info.white || '' });
	game.result = info.outcome || '';
	if (info.date) game.date = info.date;
	const end = tree.sync(game).line.at(-1);
	if (!end.resigned) end.outcome = info.outcome;
	return game;
}

// cutEnds removes what follows the end of a game, on all lines, and returns the number of moves.
function cutEnds(game) {
	let n = 0;
	const before = new Map([[game.root, []]]);
	tree.walk(game.root, (node) => {
		const moves = before.get(node);
		for (const next of node.next) before.set(next, [...moves, next.cell]);
		if (!node.next.length || !look(game, moves).over) return;
		n += tree.size(node);
		node.next = [];
		delete node.on;
	});
	if (n) tree.sync(game);
	return n;
}

const mostRemarks = 2; // on what was left out of a file, or taken for something else

// take shows a game of a file and tells what of it cannot be seen at once.
function take(saved) {
	const game = made(saved), notes = [t('rule' + game.rule)], rest = cutEnds(game);
	let comments = 0;
	tree.walk(game.root, (node) => { if (node.comment) comments++; });
	if (comments) notes.push(t('comments', { n: comments }));
	if (saved.rule & continuous) notes.push(t('continuous'));
	else if (rest) notes.push(t('pastEnd', { n: rest }));
	const { remarks = [] } = saved;
	notes.push(...remarks.slice(0, mostRemarks), ...remarks.length > mostRemarks ? ['…'] : []);
	return load(game, undefined, notes.join(' · '));
}

// link returns an address that shows the game as it is shown now.
function link() {
	const { game, view } = state;
	const parts = new URLSearchParams({ moves: names(game, game.moves), rule: game.rule, size: `${game.width}x${game.height}`, ply: view });
	if (game.opening) parts.set('opening', game.opening);
	return `${location.origin}/#${parts}`;
}

// fromLink shows the game of an address. It throws if there is none.
export async function fromLink(hash) {
	const parts = new URLSearchParams(hash.slice(1));
	const [width, height] = (parts.get('size') || '15x15').split('x').map(Number), rule = Number(parts.get('rule') || 0);
	const fits = [width, height].every((n) => Number.isInteger(n) && n >= 5 && n <= 22) && [0, 1, 4, 5, 8, 9].includes(rule);
	const cells = fits && parseNames(parts.get('moves') || '', width, height);
	if (!cells || !cells.length && !parts.has('size')) throw new api.Wrong('link', t('badLink')); // links to empty boards have a size
	await api.look({ ...state.game, width, height, rule }, cells, false); // throws if the position is wrong
	const game = made({ width, height, rule, opening: Math.max(Math.trunc(Number(parts.get('opening'))) || 0, 0), root: tree.grow(cells) });
	const ply = Number(parts.get('ply') ?? cells.length);
	return load(game, Number.isInteger(ply) ? Math.min(Math.max(ply, 0), cells.length) : cells.length);
}

// copy puts text on the clipboard and returns whether it could. Pages without https may not
// use the clipboard by themselves, but a command of the person's may: to copy what is selected.
async function copy(text) {
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

// show copies text after showing it in the field, from which it can be copied by hand.
async function show(text) {
	$('pos').value = text;
	if (await copy(text)) return toast(t('copied'));
	$('pos').select();
	toast(t('copyYourself'));
}

// listen connects the dialog.
export function listen() {
	for (const format of ['psq', 'sgf', 'lib']) $('save-' + format).addEventListener('click', () => save(format));
	$('save-png').addEventListener('click', () => use('picture', (picture) => picture.savePNG()));
	$('save-gif').addEventListener('click', () => use('picture', (picture) => picture.saveGIF()));
	$('open-file').addEventListener('click', () => $('file').click());
	$('file').addEventListener('change', async () => {
		const [file] = $('file').files;
		if (file) await readFile(file);
		$('file').value = '';
	});
	$('copy').addEventListener('click', () => show(names(state.game, state.game.moves.slice(0, state.view))));
	$('share').addEventListener('click', () => show(link()));
	$('load').addEventListener('click', () => readText($('pos').value, wrong));
}
