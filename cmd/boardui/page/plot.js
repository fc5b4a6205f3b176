// The curve of the score over the game. Clicking it goes to a move.

import { chance, turned, scoreText } from './game.js';
import { t } from './text.js';

const svg = document.getElementById('plot');
const width = 320, height = 92;
let shown = 1;

// dot is a line without length, whose round ends stay round in a drawing that is stretched.
const dot = (kind, [x, y]) => `<path class="dot ${kind}" d="M${x.toFixed(1)} ${y.toFixed(1)}h0"/>`;

// draw draws scores by number of stones, which are for black, from the side of color; ply is
// the position shown. Marks are [number of stones, class] of mistakes.
export function draw(scores, color, stones, ply, marks) {
	shown = Math.max(stones, 20);
	const x = (k) => 4 + k / shown * (width - 8);
	const y = (score) => 6 + (1 - chance(color === 'black' ? score : turned(score))) * (height - 12);
	const points = [];
	for (let k = 0; k <= stones; k++) {
		if (scores[k]) points.push([x(k), y(scores[k]), k]);
	}
	svg.toggleAttribute('hidden', points.length < 2);
	const middle = height / 2;
	let s = `<path class="zero" d="M0 ${middle}H${width}"/>`;
	if (points.length) {
		const d = points.map(([px, py], i) => `${i ? 'L' : 'M'}${px.toFixed(1)} ${py.toFixed(1)}`).join('');
		const closed = `${d}L${points[points.length - 1][0].toFixed(1)} ${middle}L${points[0][0].toFixed(1)} ${middle}z`;
		s += `<clipPath id="up"><rect width="${width}" height="${middle}"/></clipPath><clipPath id="down"><rect y="${middle}" width="${width}" height="${middle}"/></clipPath>`;
		s += `<path class="good" clip-path="url(#up)" d="${closed}"/><path class="bad" clip-path="url(#down)" d="${closed}"/><path class="curve" d="${d}"/>`;
	}
	for (const [k, kind] of marks) {
		const at = points.find((p) => p[2] === k);
		if (at) s += dot(kind, at);
	}
	s += `<path class="here" d="M${x(ply).toFixed(1)} 0V${height}"/>`;
	const now = points.find((p) => p[2] === ply);
	if (now) s += dot('now', now);
	svg.innerHTML = s;
	const last = scores[stones] || scores[stones - 1];
	svg.setAttribute('aria-label', t('plotLabel', { n: stones }) + (last ? t('comma') + scoreText(color === 'black' ? last : turned(last)) : ''));
}

// listen sets the function that is called with the number of stones clicked.
export function listen(go) {
	let held = false;
	const move = (event) => {
		const box = svg.getBoundingClientRect();
		const k = ((event.clientX - box.left) / box.width * width - 4) / (width - 8) * shown;
		go(Math.max(0, Math.round(k)));
	};
	svg.addEventListener('pointerdown', (event) => {
		held = true;
		svg.setPointerCapture(event.pointerId);
		if (event.pointerType !== 'touch') move(event); // a finger may be about to scroll
	});
	svg.addEventListener('pointermove', (event) => { if (held) move(event); });
	svg.addEventListener('pointerup', (event) => {
		if (held && event.pointerType === 'touch') move(event);
		held = false;
	});
	svg.addEventListener('pointercancel', () => { held = false; });
}
