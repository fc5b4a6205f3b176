// The games that the browser keeps: a list to search, open and delete from, and to save as one
// file.

import * as store from './store.js';
import { $, element, wait } from './dom.js';
import { offer, write } from './files.js';
import { begin } from './play.js';
import { ownGame, toast, wrongText } from './state.js';
import { engineCount, names, newId, resultText, today } from './game.js';
import * as tree from './tree.js';
import { t } from './text.js';

const shownAtOnce = 60; // entries drawn; the search finds the others

let entries = []; // of the store, with their words for the search

// words is all text of a game that the search looks at.
function words({ id, game, text }) {
	if (!game) return text.toLowerCase();
	const list = [id, title(game), facts(game), names(game, game.moves)];
	tree.walk(game.root, (node) => { if (node.comment || node.name) list.push(node.comment, node.name); });
	return list.join(' ').toLowerCase();
}

const title = (game) => ['black', 'white'].map((color) => game.names[color] || t('person')).join(' – ');

function facts(game) {
	return [resultText[game.result], game.date, t('rule' + game.rule), `${game.width} × ${game.height}`, t('movesMore', { n: tree.size(game.root) })].filter(Boolean).join(' · ');
}

// picture draws the last position of the current line.
function picture(game) {
	const stones = game.moves.map((cell, i) => cell < 0 ? '' : `<circle class="${i % 2 ? 'white' : 'black'}" cx="${cell % game.width}" cy="${Math.floor(cell / game.width)}" r="0.47"/>`);
	const holder = element('span');
	holder.innerHTML = `<svg viewBox="-1 -1 ${game.width + 1} ${game.height + 1}" aria-hidden="true"><rect x="-1" y="-1" width="${game.width + 1}" height="${game.height + 1}"/>${stones.join('')}</svg>`;
	return holder.firstElementChild;
}

function button(text, act, kind = '') {
	const b = element('button', text, kind);
	b.type = 'button';
	b.addEventListener('click', act);
	return b;
}

function draw() {
	const at = Array.from($('games').children).findIndex((item) => item.contains(document.activeElement));
	const wanted = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
	const found = entries.filter((entry) => wanted.every((word) => entry.words.includes(word)));
	$('games').replaceChildren(...found.slice(0, shownAtOnce).map((entry) => {
		const { id, game } = entry, item = element('li');
		const what = game ? button('', () => reopen(id), 'game') : element('div');
		const lines = element('span'), name = element('b', game ? title(game) : t('damaged')), more = element('small', game ? facts(game) : id);
		lines.append(name, more);
		what.classList.add('game');
		what.append(...game ? [picture(game)] : [], lines);
		if (id === ownGame().id) what.setAttribute('aria-current', 'true');
		item.append(what);
		if (!game) item.append(button(t('save'), () => offer(`tengen-${id}.txt`, entry.text)));
		const drop = button('✕', () => remove(entry), 'drop');
		drop.title = t('deleteBranch');
		drop.setAttribute('aria-label', t('deleteBranch') + t('colon') + name.textContent + t('comma') + more.textContent);
		drop.disabled = id === ownGame().id;
		item.append(drop);
		return item;
	}));
	const drops = Array.from($('games').querySelectorAll('.drop')), usable = (drop) => !drop.disabled;
	if (at >= 0) (drops.slice(at).find(usable) || drops.findLast(usable) || $('search')).focus();
	$('games-found').textContent = t('gamesFound', { n: found.length, all: entries.length });
}

function refresh() {
	entries = store.games().filter(({ game }) => !game || game.root.next.length).map((entry) => ({ ...entry, words: words(entry) }));
	draw();
}

// open shows the list.
export function open() {
	$('search').value = '';
	refresh();
	$('library-dialog').showModal();
}

async function reopen(id) {
	const own = ownGame(), game = id === own.id ? own : await wait(store.take(id)); // what is stored of the own may be old
	if (!game) return refresh(); // another tab has deleted it
	if (!game.id) toast(t('copied2'));
	game.id ||= newId();
	if (game !== own && engineCount(game)) game.paused = true; // engines wait until asked
	$('library-dialog').close();
	begin(game);
}

async function remove({ id }) {
	if (await wait(store.taken(id))) return toast(t('elsewhere'));
	const text = store.remove(id);
	refresh();
	if (text === null) return; // another tab has deleted it
	const undo = () => {
		if (!store.putBack(id, text)) toast(t('storageFull'), undo);
		else if ($('library-dialog').open) refresh();
	};
	toast(t('removed'), undo);
}

// saveAll saves all games in one SGF file, and those that are damaged as they are in another. If the
// program goes meanwhile it saves nothing: a file of some games would be taken for whole.
async function saveAll() {
	const parts = [], broken = [];
	$('save-all').disabled = true;
	for (const { game, text } of entries) {
		if (!game) {
			broken.push(text);
			continue;
		}
		try {
			parts.push(await patiently(() => write(game, 'sgf')));
		} catch (error) {
			if (error.code === 'gone') {
				$('save-all').disabled = false;
				return toast(wrongText(error));
			}
			broken.push(tree.stored(game));
		}
	}
	$('save-all').disabled = false;
	const date = today();
	if (parts.length) offer(`tengen-games-${date}.sgf`, new Blob(parts));
	if (broken.length) offer(`tengen-damaged-${date}.txt`, broken.join('\n'));
}

// patiently tries again while the server wants fewer requests.
async function patiently(ask) {
	for (;;) {
		try {
			return await ask();
		} catch (error) {
			if (error.code !== 'rate') throw error;
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
	}
}

// listen connects the dialog.
export function listen() {
	$('search').addEventListener('input', draw);
	$('search').addEventListener('keydown', (event) => { if (event.key === 'Enter') event.preventDefault(); }); // which would close the dialog
	$('save-all').addEventListener('click', saveAll);
}
