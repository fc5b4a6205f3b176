// The dialogs of a new game and of help.

import * as api from './api.js';
import * as clock from './clock.js';
import { $, element } from './dom.js';
import { use } from './later.js';
import * as rating from './rating.js';
import { start } from './play.js';
import { state, changed, fail, ownGame } from './state.js';
import { person, presets, renjuOpenings, rules, times, you } from './game.js';
import { levels, strengthOf } from './levels.js';
import { levelText, t } from './text.js';

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
	const { engines } = state, game = ownGame();
	const list1 = engines.map((e, i) => [i, e.name]);
	const { black, white } = game.players;
	const list = [black, white].filter((p) => p !== person);
	const { level, second, millis } = game;
	const levelList = Array.from({ length: levels }, (_, i) => [i + 1, levelText(i + 1)]);
	fill($('new-level-1'), levelList, level);
	fill($('new-level-2'), levelList, second?.level ?? level);
	fill($('new-time'), times.map((ms) => [ms, t('seconds', { n: ms / 1000 })]), times.find((ms) => ms >= millis) ?? times.at(-1));
	$('new-games').value = game.match?.total ?? 1;
	fill($('engine-1'), list1, list[0] ?? 0);
	fill($('engine-2'), list1, list[1] ?? Math.min(1, engines.length - 1));
	check('side', you(game) || (list.length ? 'none' : 'both'));
	fill($('rule'), rules.map((r) => [r, t('rule' + r)]), rules.includes(game.rule) ? game.rule : 0);
	$('opening').value = game.from;
	showClock(game.clock);
	const width = presets[game.from] ? 15 : game.width;
	if (game.width !== game.height || !check('size', width)) clear('size');
	$('size').value = width;
	adapt();
	$('new-dialog').returnValue = '';
	$('new-dialog').showModal();
}

// showClock shows the clock of the game before as the choice for the next.
function showClock(c) {
	const text = c ? `${c.main / 1000}+${c.increment / 1000}` + (c.periods ? `+${c.periods}x${c.byo / 1000}` : '') : '';
	$('clock').value = text;
	if ($('clock').selectedIndex < 0) $('clock').value = 'own';
	$('clock-text').value = text || '300+3';
}

// chosenClock is the clock that is chosen, null for none.
const chosenClock = () => clock.parse($('clock').value === 'own' ? $('clock-text').value.trim() : $('clock').value);

function clear(name) {
	for (const input of document.querySelectorAll(`input[name=${name}]`)) input.checked = false;
}

// adapt disables what cannot be combined with the current choice.
function adapt() {
	const side = checked('side'), opening = $('opening').value;
	const swap = opening.startsWith('swap2-');
	$('row-1').hidden = side === 'both';
	$('row-2').hidden = $('row-games').hidden = side !== 'none';
	$('row-1-name').textContent = t(side === 'none' ? 'black' : 'against');
	const uses = (n) => !$('row-' + n).hidden && (!state.engines[$('engine-' + n).value]?.own || strengthOf(Number($('new-level-' + n).value)) === 100);
	const rated = ['black', 'white'].includes(side) && state.engines[$('engine-1').value]?.own;
	$('row-rated').hidden = !rated;
	$('new-level-1').disabled = rated && $('new-rated').checked;
	if ($('new-level-1').disabled) $('new-level-1').value = rating.fitting();
	$('row-time').hidden = Boolean($('clock').value) || !uses(1) && !uses(2);
	for (const option of $('opening').options) {
		if (option.value.startsWith('swap2-')) option.disabled = side === 'both' || side === 'none';
	}
	if (swap && (side === 'both' || side === 'none')) $('opening').value = '';
	for (const input of $('size-choice').querySelectorAll('input')) input.disabled = Boolean(presets[opening]);
	if (presets[opening] && !check('size', presets[opening].width)) clear('size');
	if (presets[opening]) $('size').value = presets[opening].width;
	$('size').min = opening === 'long-pro' || renjuOpenings.includes(opening) ? 9 : opening === 'pro' ? 7 : 5;
	$('clock-own').hidden = $('clock').value !== 'own';
	$('clock-text').setCustomValidity($('clock').value === 'own' && !chosenClock() ? t('clockWrong') : '');
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
	const { style, second } = ownGame(), millis = Number($('new-time').value);
	const choice = {
		...players, width: size, height: size, rule: Number($('rule').value), level: Number($('new-level-1').value), style, millis,
		second: side === 'none' ? { style, ...second, level: Number($('new-level-2').value), millis } : null, from: $('opening').value, clock: chosenClock(), rated: $('new-level-1').disabled,
	};
	const games = side === 'none' ? Number($('new-games').value) : 1;
	if (games > 1 && choice.from !== 'setup') return use('match', (match) => match.begin(choice, games));
	if (choice.from === 'setup') return use('setup', (setup) => setup.begin(choice));
	start(choice);
}

// phone shows the addresses of the page for other computers, the first as a QR code too.
export async function phone() {
	let urls = [], code = [];
	try {
		({ urls, code = [] } = await api.addresses());
	} catch { /* the dialog says how the program is started for that */ }
	if (urls?.length) {
		$('phone-text').textContent = t('phoneText');
	} else {
		const [before, after] = t('phoneNone', { command: '\n' }).split('\n');
		$('phone-text').replaceChildren(before, element('code', 'boardui -addr 0.0.0.0'), after);
	}
	$('urls').replaceChildren(...(urls || []).map((url) => element('li', url)));
	const n = code.length;
	$('code').toggleAttribute('hidden', !n);
	$('code').setAttribute('viewBox', `-4 -4 ${n + 8} ${n + 8}`);
	$('code').innerHTML = `<rect x="-4" y="-4" width="${n + 8}" height="${n + 8}"/><path d="${code.flatMap((row, y) => Array.from(row, (c, x) => c === '#' ? `M${x} ${y}h1v1h-1z` : '')).join('')}"/>`;
	$('phone-dialog').showModal();
}

// quit ends the program, at the second click.
async function quit() {
	const button = $('quit');
	if (!button.dataset.sure) {
		button.dataset.sure = 1;
		button.textContent = t('quitSure');
		return;
	}
	$('help-dialog').close('');
	try {
		await api.quit(state.game);
		state.wrong = new api.Wrong('ended', t('quitDone'));
		changed();
	} catch (error) {
		fail(error);
	}
}

const helpKeys = [
	['←  →', 'steps'], ['↑  ↓', 'keyBeside'], ['Home, End', 'keyEnds'], ['Tab, ← ↑ → ↓', 'keyMove'], ['Enter, Space', 'keyPlace'], ['Backspace, U', 'takeBack'],
	['H', 'hint'], ['A', 'analyze'], ['F', 'handOver'], ['M', 'moveNow'], ['N', 'numbers'], ['T', 'threats'], ['R', 'restart'],
];

export function help() {
	$('quit').hidden = !state.server?.local;
	$('quit').textContent = t('quit');
	delete $('quit').dataset.sure;
	const box = $('help-text');
	box.replaceChildren(...['helpPlay', 'helpLevel', 'helpMarks', 'helpStudy', 'helpKeys'].flatMap((name) => {
		const h = element('h3', t(name));
		return name === 'helpKeys' ? [h] : [h, element('p', t(name + 'Text', { n: levels }))];
	}));
	const keys = element('dl');
	for (const [key, what] of helpKeys) keys.append(element('dt', key), element('dd', t(what)));
	box.append(keys);
	$('version').textContent = [state.server?.version, state.server?.web && t('inPage')].filter(Boolean).join(' · ');
	$('help-dialog').showModal();
	$('help-dialog').scrollTop = 0; // the focus has scrolled it to the end
}

// listen connects the dialogs.
export function listen() {
	$('quit').addEventListener('click', quit);
	$('new-dialog').addEventListener('change', (event) => {
		if (event.target.name === 'size') $('size').value = event.target.value;
		if (event.target.id === 'size' && !check('size', event.target.value)) clear('size');
		if (event.target.id === 'opening' && renjuOpenings.includes(event.target.value)) {
			$('rule').value = 4;
			$('size').value = 15;
			check('size', 15);
		}
		adapt();
	});
	$('new-dialog').addEventListener('close', () => { if ($('new-dialog').returnValue === 'ok') begin(); });
}
