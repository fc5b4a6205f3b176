// Draws the page from the state: the board, the panel beside it and the banner.

import * as board from './board.js';
import * as analysisView from './analysis-view.js';
import * as clock from './clock.js';
import * as plot from './plot.js';
import * as rating from './rating.js';
import * as tabs from './tabs.js';
import * as treeView from './tree-view.js';
import * as verdicts from './verdicts.js';
import { $, element, options } from './dom.js';
import { part, use } from './later.js';
import { mayPlace, mayTakeBack, mayTurn, endText } from './play.js';
import { state, blind, over, ownGame, wrongText, cellsOf } from './state.js';
import { engineCount, other, person, times, dialsOf, inOpening, sideAt, sideToMove, you, forWhom, cellName, chance, turned, scoreText, resultText, winMoves } from './game.js';
import { levels, strengthOf } from './levels.js';
import { levelText, t } from './text.js';

export function render() {
	if (!state.game) return;
	const focus = heldFocus();
	drawBoard();
	drawBanner();
	drawPlayers();
	clock.draw();
	drawScore();
	drawButtons();
	analysisView.draw();
	for (const name of ['review', 'puzzles', 'explorer']) part(name)?.draw();
	if (state.game.match) use('match', (match) => match.draw());
	else $('match').hidden = true;
	drawDials();
	drawRating();
	treeView.draw();
	focus?.();
}

const groups = '#banner, #setup, .steps, .actions, [role=tabpanel]';

// heldFocus returns a function to call after the page is drawn. If the control with the focus
// has vanished or can no longer be used, it moves the focus to the next one of its group, to the
// one before, or to the board, so that who uses the keyboard stays in place.
function heldFocus() {
	const was = document.activeElement, group = was?.closest(groups);
	if (!group || !was.matches(':focus-visible')) return null;
	const usable = (e) => e.isConnected && !e.disabled && e.getClientRects().length > 0;
	return () => {
		if (usable(was)) return;
		const list = Array.from(group.querySelectorAll('button, select, input, textarea, summary')).filter(usable);
		const after = list.find((e) => was.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING);
		(after || list.pop() || $('board')).focus();
	};
}

function drawBoard() {
	const { game, view, look, settings } = state;
	const setup = part('setup');
	setup?.draw();
	if (setup?.active()) return drawSetup(setup);
	board.setUp(game.width, game.height, settings.coordinates);
	const { ghosts, badges } = analysisView.marks();
	const opening = part('opens')?.marks();
	badges.push(...part('explorer')?.marks() || [], ...opening?.badges || []);
	part('puzzles')?.line().forEach((cell, i) => ghosts.push({ cell, color: sideAt(view + i), text: i + 1 }));
	board.draw({
		stones: game.moves.slice(0, view),
		numbers: settings.numbers, from: game.line.slice(1, view + 1).filter((node) => node.setup).length,
		forbidden: cellsOf(look?.forbidden),
		rows: (look?.rows || []).map(cellsOf),
		threats: settings.threats && look?.threats && !blind() ? look.threats.map((x) => ({ kind: x.kind, at: cellsOf(x.at)[0], stones: cellsOf(x.stones) })) : [],
		ghosts, badges, dots: opening?.dots || [], signs: treeView.marks(), notes: verdicts.notes(),
		confirm: settings.confirm,
		hover: mayPlace() ? sideAt(view) : null,
	});
	$('ply').dataset.ready = look ? 1 : 0;
	$('ply').textContent = t('plyOf', { k: view, n: game.moves.length });
	$('first').disabled = $('prev').disabled = view === 0;
	$('next').disabled = $('last').disabled = view === game.moves.length;
	$('rules').textContent = `${game.width} × ${game.height} · ${t('rule' + game.rule)}`;
}

// drawSetup draws the position that is edited.
function drawSetup(setup) {
	const { width, height } = setup.board();
	board.setUp(width, height, state.settings.coordinates);
	const stones = setup.moves();
	board.draw({ stones, numbers: true, from: stones.length });
}

function button(text, what) {
	const b = element('button', text);
	b.dataset.do = what;
	return b;
}

// banner is what the status line above the board says: {kind, text, buttons, most}, with buttons as
// [key of a text, action], and the most that can be declared from 1 on. Only the text is always there.
function banner() {
	const { game, view } = state, { swap } = game, end = over();
	if (part('setup')?.active()) return { kind: 'swap', text: t('setupText') };
	if (state.wrong) return { kind: 'wrong', text: wrongText(state.wrong), buttons: [['retry', 'retry']] };
	if (state.puzzle) return part('puzzles').banner();
	if (view < game.moves.length) {
		return { kind: 'past', text: t('lookingBack', { k: view, n: game.moves.length }) + (mayPlace() ? t('replaces') : ''), buttons: [['toEnd', 'last']] };
	}
	if (end) {
		const mine = you(game);
		return { kind: end === 'draw' ? 'draw' : mine && mine !== end ? 'lost' : 'won', text: endText(), buttons: [['newGame', 'new']] };
	}
	if (game.paused && !(inOpening(game) ? part('opens')?.mine() : /^(place|choose)/.test(swap?.step))) return { text: t('paused'), buttons: [['goOn', 'pause']] };
	if (inOpening(game)) return { kind: 'swap', text: '', ...part('opens')?.banner() };
	if (swap) {
		const text = t({ place3: 'swapPlace', place2: 'swapTwo', three: 'swapThree', think3: 'swapThink', think5: 'swapThink', choose3: 'swapChoose', choose5: 'swapChoose' }[swap.step]);
		const buttons = swap.step.startsWith('choose') ? [['takeBlack', 'black'], ['takeWhite', 'white']] : [];
		if (swap.step === 'choose3') buttons.push(['placeTwo', 'two']);
		return { kind: 'swap', text, buttons };
	}
	return { text: you(game) === sideToMove(game) ? t('yourMove') : t('onMove', { who: t(sideToMove(game)) }) };
}

function drawBanner() {
	const { kind = '', text, buttons = [], most = 0 } = banner();
	const box = $('banner'), color = ['won', 'lost'].includes(kind) && over() || sideAt(state.view);
	const key = [kind, text, color, buttons].join('|');
	if (box.dataset.key === key) return;
	box.dataset.key = key;
	box.className = kind;
	const stone = element('i', '', 'stone ' + color);
	box.title = text;
	box.replaceChildren(...(['wrong', 'draw'].includes(kind) ? [] : [stone]), element('span', text), ...buttons.map(([label, what]) => button(t(label), what)));
	if (most) {
		const list = element('select');
		options(list, most, 1);
		list.setAttribute('aria-label', t('ask.declare'));
		const declare = button('✓', 'declare'); // arrow keys change a list before it is what one wants
		declare.title = t('do.declare');
		declare.setAttribute('aria-label', declare.title);
		box.append(list, declare);
	}
}

// inWords reports whether figures are said in words: in the panels for study they are not.
const inWords = () => tabs.shown() === 'play';

function reportText(report) {
	const words = [];
	if (report?.depth) words.push(t('depth', { d: report.depth }));
	if (report?.nodes) words.push(t('nodes', { n: analysisView.count(report.nodes) }));
	if (report?.speed && state.server?.web) words.push(analysisView.count(report.speed) + '/s'); // which depends on the browser
	if (report?.tables) words.push(t('byTables'));
	return words.join(' · ');
}

// drawLevel lets one choose the level of an engine.
function drawLevel(list, level) {
	if (list.dataset.lang !== document.documentElement.lang) {
		list.dataset.lang = document.documentElement.lang;
		list.replaceChildren(...Array.from({ length: levels }, (_, i) => new Option(levelText(i + 1), i + 1)));
	}
	list.value = level;
}

function drawPlayers() {
	const { game, thinking, told } = state;
	for (const color of ['black', 'white']) {
		const box = $('player-' + color);
		const select = box.querySelector('select');
		const names = [t('person'), ...state.engines.map((e) => e.name)];
		if (select.dataset.names !== names.join('|')) {
			select.dataset.names = names.join('|');
			select.replaceChildren(...names.map((name, i) => new Option(name, i - 1)));
		}
		select.options[0].text = you(game) === color ? t('you') : t('person');
		select.value = game.players[color];
		select.disabled = Boolean(game.swap || state.puzzle);
		const level = $('level-' + color);
		level.hidden = level.disabled = game.players[color] === person;
		if (!level.hidden) drawLevel(level, dialsOf(game, color).level);
		const moving = !over() && !game.swap && sideToMove(game) === color;
		box.classList.toggle('moving', moving);
		box.classList.toggle('thinking', thinking?.color === color);
		let note = '';
		if (thinking?.color === color) {
			note = thinking.wait >= 0 ? t('waiting', { n: thinking.wait }) : !inWords() && reportText(thinking.report) || t('thinking');
		} else if (told[color]) {
			const { move, millis = 0, report } = told[color];
			note = t('tookMove', { m: cellName(game, move) });
			if (!inWords()) note += ' · ' + t('answered', { s: (millis / 1000).toFixed(1) }) + (report?.depth ? ' · ' + t('depth', { d: report.depth }) : '');
			if (report?.tables) note += ' · ' + t('byTables');
		}
		const small = box.querySelector('small');
		small.textContent = [game.info?.[color], note].filter(Boolean).join(' · '); // whose name a file has
		small.title = small.textContent;
	}
}

// scoreInWords writes a score for black: who wins in how many of its moves, who is better, or in the
// panels for study a number from the side of whom scores are shown.
function scoreInWords(score) {
	const p = chance(score), who = t(p > 0.5 ? 'black' : 'white'), far = Math.max(p, 1 - p);
	if (score.mate) return t('winsIn', { who, n: winMoves(score.mate) });
	if (inWords()) return t(far > 0.95 ? 'winning' : far > 0.78 ? 'better' : far > 0.58 ? 'littleBetter' : 'evenly', { who });
	return scoreText(forWhom(state.game) === 'black' ? score : turned(score));
}

// plotted returns the scores with that of the end of the game.
function plotted() {
	const { game } = state, end = over();
	if (!end) return blind() ? [] : game.scores;
	const scores = game.scores.slice();
	scores[game.moves.length] = { value: 0, mate: { black: 1, white: -1, draw: 0 }[end] };
	return scores;
}

function drawScore() {
	const { game, view } = state;
	const whom = forWhom(game);
	let known = null;
	for (let k = view; k >= 0 && !known && k > view - 3 && !blind(); k--) known = game.scores[k] || null;
	const end = view === game.moves.length ? over() : '';
	let share = chance(whom === 'black' ? known : turned(known));
	if (end) share = end === 'draw' ? 0.5 : end === whom ? 1 : 0;
	const mine = known && (whom === 'black' ? known : turned(known));
	$('bar').firstElementChild.style.setProperty('--share', share);
	$('bar').setAttribute('aria-valuenow', Math.round(share * 100));
	const text = end ? endText() : mine ? scoreInWords(known) : t('noScore');
	$('bar').setAttribute('aria-valuetext', text);
	$('bar').title = t('scoreTitle', { who: t(whom) });
	$('score').textContent = end ? resultText[end] : mine ? scoreInWords(known) : '–';
	$('score').title = $('bar').title;
	$('score').className = share > 0.5 ? 'good' : share < 0.5 ? 'bad' : '';
	plot.draw(plotted(), whom, game.moves.length, view, verdicts.plotMarks());
}

// offer shows a button that can be pressed now, and hides another.
function offer(id, can) {
	$(id).disabled = $(id).hidden = !can;
}

function drawButtons() {
	const { game, thinking } = state;
	const end = over(), engines = engineCount(game);
	offer('back', mayTakeBack());
	offer('hint', !(state.look?.over || (end && state.view === game.moves.length) || game.swap));
	offer('hand', !(game.swap || end || state.puzzle));
	offer('now', thinking && state.engines[game.swap ? game.swap.engine ?? -1 : game.players[thinking.color]]?.own); // others cannot
	offer('pause', !end && engines);
	offer('resign', !(end || game.swap || engines === 2 || state.puzzle));
	const row = end ? $('more').parentElement : $('more-actions'); // after a game one wants another
	if ($('restart').parentElement !== row) row.insertBefore($('restart'), end ? $('more') : null);
	$('more').hidden = !Array.from($('more-actions').children).some((b) => !b.hidden);
	$('rotate').disabled = $('mirror').disabled = !mayTurn();
	$('phone').hidden = Boolean(state.server?.web); // the address is any device's
	$('pause').querySelector('span').textContent = t(game.paused ? 'goOn' : 'pause');
	$('pause').querySelector('use').setAttribute('href', game.paused ? '#i-go' : '#i-stop');
}

// drawRating shows the rating of the person and how it went.
function drawRating() {
	const list = rating.games();
	$('rating').hidden = !list.length;
	if (!list.length || $('rating').dataset.stamp === list.length + document.documentElement.lang) return;
	$('rating').dataset.stamp = list.length + document.documentElement.lang;
	const { level, error } = rating.estimate(list);
	$('rating-text').textContent = t('ratingNow', { r: level.toFixed(1), e: error.toFixed(1), n: list.length });
	$('rating-curve').firstElementChild.setAttribute('points', rating.curve(list, 100, 30));
}

function drawDials() {
	const { settings } = state, own = ownGame(), engines = engineCount(own);
	document.querySelector('.dials').hidden = !engines;
	if (engines < 2) state.dialed = 'black';
	$('dialed').hidden = engines < 2;
	for (const input of $('dialed').querySelectorAll('input')) input.checked = input.value === state.dialed;
	const game = dialsOf(own, state.dialed);
	const dial = (id, value, text) => {
		const input = $(id);
		if (document.activeElement !== input || input.value !== String(value)) input.value = value;
		input.nextElementSibling.textContent = text;
		input.setAttribute('aria-valuetext', text);
	};
	dial('style', game.style, game.style ? t(game.style > 0 ? 'styleAttack' : 'styleDefense', { n: Math.abs(game.style) }) : t('style0'));
	let near = 0;
	times.forEach((ms, i) => { if (Math.abs(ms - game.millis) < Math.abs(times[near] - game.millis)) near = i; });
	// The built-in engine uses its time at full strength only.
	const player = own.players[engines === 1 ? other(you(own)) : state.dialed];
	const timeless = strengthOf(game.level) < 100 && (engines === 0 || state.engines[player]?.own);
	$('time').disabled = $('time').parentElement.hidden = timeless;
	dial('time', near, t('seconds', { n: game.millis / 1000 }));
	for (const id of ['numbers', 'threats', 'coordinates', 'sound', 'keys', 'confirm']) $(id).checked = settings[id];
}
