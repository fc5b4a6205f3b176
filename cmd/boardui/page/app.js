// Connects the parts of the page: buttons, keys, the board, the stored game and settings.

import * as api from './api.js';
import * as board from './board.js';
import * as clock from './clock.js';
import * as analysis from './analysis.js';
import * as analysisView from './analysis-view.js';
import * as play from './play.js';
import * as plot from './plot.js';
import * as store from './store.js';
import * as swap2 from './swap2.js';
import * as tabs from './tabs.js';
import * as treeView from './tree-view.js';
import { $ } from './dom.js';
import { cellName, engineCount, newGame, newId, times } from './game.js';
import { part, use } from './later.js';
import { state, listen, set, wrongText } from './state.js';
import { render } from './panel.js';
import { languages, setLanguage, t, usual } from './text.js';
import { moveNow } from './thinking.js';

function speak(text) {
	$('speech').textContent = text;
}

let toastTimer = 0;

// layToast puts the note into the dialog that is open: what is beside that cannot be clicked.
const layToast = () => (document.querySelector('dialog[open]') || document.body).append($('toast'));

// toast shows a note for some seconds, with a button that calls undo if there is one; label is
// what the button says.
function toast(text, undo, label = t('bringBack')) {
	const box = $('toast'), [span, button] = box.children;
	span.textContent = text;
	button.hidden = !undo;
	button.textContent = label;
	button.onclick = () => { box.hidden = true; undo(); };
	layToast();
	box.hidden = false;
	clearTimeout(toastTimer);
	const hide = () => {
		if (box.matches(':hover, :focus-within')) toastTimer = setTimeout(hide, 1000);
		else box.hidden = true;
	};
	toastTimer = setTimeout(hide, undo ? 8000 : 4000);
}

function refuse(cell, text) {
	board.shake(cell);
	toast(text);
}

const openLibrary = () => use('library', (library) => library.open());

const noRoom = (text) => () => toast(t(text), openLibrary, t('library'));

store.listen(noRoom('storageFull'), noRoom('notStored'));
listen({ changed: render, speak, toast, refuse });
tabs.listen();
treeView.listen();
analysisView.listen();
clock.listen(play.flag, play.saveTime);
api.listen(play.connect, () => toast(t('noNetwork')));
plot.listen((n) => play.step(n));
board.listen({
	choose: (cell) => part('setup')?.take(cell) || treeView.useTool(cell) || analysis.useTool(cell) || part('puzzles')?.take(cell) || play.place(cell),
	again: (cell) => toast(t('tapAgain', { m: cellName(state.game, cell) })),
	back: () => { if (!editing()) play.takeBack(); },
	free: (cell) => {
		if (cell < 0) return false;
		if (editing()) return true;
		const at = state.game.moves.indexOf(cell);
		return at < 0 || at >= state.view;
	},
});

const editing = () => part('setup')?.active();

const dialog = (name) => () => use('dialogs', (dialogs) => dialogs[name]());

const actions = {
	new: dialog('newGame'), help: dialog('help'), phone: dialog('phone'), library: openLibrary,
	files: () => use('files', (files) => files.open()), edit: () => use('setup', (setup) => setup.begin()),
	back: play.takeBack, restart: play.restart, resign: play.resign, hand: play.handOver, pause: play.pause, now: moveNow,
	hint: analysis.hint, start: () => { if (!state.analyzing) tabs.open('analysis'); analysis.setAnalyzing(!state.analyzing); },
	first: () => play.step(0), prev: () => play.step(state.view - 1), next: () => play.step(state.view + 1), last: () => play.step(state.game.moves.length),
	above: () => treeView.beside(-1), below: () => treeView.beside(1),
	rotate: () => play.turnBoard(false), mirror: () => play.turnBoard(true),
	retry: play.retry, puzzleNext: () => part('puzzles').next(), black: () => swap2.choose('black'), white: () => swap2.choose('white'), two: () => swap2.choose('two'),
	declare: () => part('opens').choose('declare ' + $('banner').querySelector('select').value),
	theme: () => { setting('theme', dark() ? 'light' : 'dark'); },
};

for (const id of ['new', 'library', 'files', 'phone', 'help', 'back', 'restart', 'resign', 'hand', 'pause', 'now', 'hint', 'first', 'prev', 'next', 'last', 'rotate', 'mirror', 'theme', 'edit']) {
	$(id).addEventListener('click', () => actions[id]());
}
$('banner').addEventListener('click', (event) => {
	const { do: what } = event.target.dataset;
	if (what?.startsWith('opens:')) part('opens').choose(what.slice(6));
	else actions[what]?.();
});
for (const color of ['black', 'white']) {
	$('player-' + color).querySelector('select').addEventListener('change', (event) => play.setPlayer(color, Number(event.target.value)));
	$('level-' + color).addEventListener('change', (event) => play.set('level', Number(event.target.value), color));
}
$('more').addEventListener('click', () => {
	const open = $('more-actions').hidden;
	$('more-actions').hidden = !open;
	$('more').setAttribute('aria-expanded', open);
});
$('dialed').addEventListener('change', (event) => { state.dialed = event.target.value; render(); });
$('style').addEventListener('input', (event) => play.set('style', Number(event.target.value)));
$('time').addEventListener('input', (event) => play.set('millis', times[Number(event.target.value)]));
for (const id of ['numbers', 'threats', 'coordinates', 'sound', 'keys', 'confirm']) {
	$(id).addEventListener('change', (event) => setting(id, event.target.checked));
}

const dark = () => (state.settings.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

function applyTheme() {
	document.documentElement.dataset.theme = dark() ? 'dark' : 'light';
	document.querySelector('meta[name=color-scheme]').content = dark() ? 'dark' : 'light';
}

// setting changes a setting of the page and shows what follows from it.
function setting(key, value) {
	set(key, value);
	applyTheme();
	if (key === 'language') return language().then(render);
	if (key === 'threats') play.refresh();
	render();
}

async function language() {
	await setLanguage(state.settings.language ||= usual());
	$('language').value = state.settings.language;
	$('banner').dataset.key = '';
}

$('language').append(...Object.entries(languages).map(([id, name]) => new Option(name, id)));
$('language').addEventListener('change', (event) => setting('language', event.target.value));

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);

const keys = {
	Backspace: 'back', u: 'back', h: 'hint', a: 'start', f: 'hand', m: 'now', r: 'restart', '[': 'prev', ']': 'next', Home: 'first', End: 'last',
	PageUp: 'prev', PageDown: 'next', '?': 'help', ArrowLeft: 'prev', ArrowRight: 'next', ArrowUp: 'above', ArrowDown: 'below',
};

document.addEventListener('keydown', (event) => {
	if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
	if (event.key === 'Escape') return part('setup')?.active() ? part('setup').cancel() : analysis.leaveTool() || treeView.leaveTool();
	if (editing()) return;
	if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && !(event.target.type === 'checkbox')) return;
	// Other alphabets have their letters on the same keys.
	const letter = event.key > '~' && event.code.startsWith('Key') ? event.code[3] : event.key;
	if (letter.length === 1 && !state.settings.keys) return; // who dictates would press them
	const key = letter.length === 1 ? letter.toLowerCase() : letter;
	if (key === 'n' || key === 't') {
		const id = key === 'n' ? 'numbers' : 'threats';
		setting(id, !state.settings[id]);
	} else if (keys[key]) {
		const button = $(keys[key]);
		if (!button || !button.disabled) actions[keys[key]]();
	} else {
		return;
	}
	event.preventDefault();
});

let pressed = null;
document.addEventListener('pointerdown', (event) => { pressed = event.target; });
for (const box of document.querySelectorAll('dialog')) {
	// A click beside the dialog hits its backdrop, and so do the end of selecting text in it and the
	// second click of two on the button that opens it. Cancel does not submit, so that Enter starts.
	box.addEventListener('click', (event) => { if (event.target === box && pressed === box && event.detail < 2 || 'close' in event.target.dataset) box.close(''); });
	box.addEventListener('close', layToast);
}

// Games and positions can be pasted into the page, and files or text dropped on it.
const receive = (data) => {
	const [file] = data.files, text = data.getData('text');
	use('files', (files) => file ? files.readFile(file) : files.readText(text, toast));
};
const inField = (event) => /^(INPUT|TEXTAREA)$/.test(event.target.tagName); // which takes text itself
document.addEventListener('paste', (event) => { if (!inField(event)) receive(event.clipboardData); });
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
	if (inField(event) && !event.dataTransfer.files.length) return;
	event.preventDefault();
	receive(event.dataTransfer);
});

// openLink shows the game of the page's address, if it has one.
async function openLink() {
	const { hash } = location;
	if (!hash.startsWith('#moves=')) return;
	history.replaceState(null, '', location.pathname); // a reload shows the game as it is then
	await use('files', (files) => files.fromLink(hash).catch((error) => toast(wrongText(error))));
}
window.addEventListener('hashchange', openLink);
document.addEventListener('visibilitychange', play.saveTime); // the last that a page may see

applyTheme();
navigator.serviceWorker?.register('sw.js').catch(() => {}); // only secure origins may

// The board is drawn before the first request.
const [mine] = await Promise.all([store.find(), language()]);
const game = mine || newGame(newId());
const copied = !game.id;
game.id ||= newId();
if (engineCount(game)) state.engines = [{ name: 'Tengen', own: true }];
Object.assign(state, { game, view: game.moves.length });
render();
if (copied) toast(t('copied2'));
await openLink();
play.connect();
