// The lens: what lies under a finger, enlarged, beside it.

const lens = document.getElementById('lens');
const frame = document.getElementById('frame');

const reach = 1.9; // cells to each side of the middle
const away = 36;   // pixels between the finger and the lens: it hides what is nearer

// show draws the lens over the point x, y of the board, for a finger at an event.
export function show([x, y], event) {
	lens.removeAttribute('hidden'); // an svg has no property of that name
	lens.setAttribute('viewBox', `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`);
	const box = frame.getBoundingClientRect(), r = lens.clientWidth / 2;
	const px = event.clientX - box.left, py = event.clientY - box.top, above = py - r - away;
	lens.style.left = `${Math.min(Math.max(px, r), box.width - r)}px`;
	lens.style.top = `${box.top + above > r ? above : py + r + away}px`;
}

export const hide = () => lens.setAttribute('hidden', '');
