// The elements of the page: how they are found, made and filled.

export const $ = (id) => document.getElementById(id);

// element makes an element of the page.
export function element(tag, text, className) {
	const e = document.createElement(tag);
	if (text !== undefined) e.textContent = text;
	if (className) e.className = className;
	return e;
}

// fill puts items into a list, unless they are there: a button that is replaced while it is pressed
// takes no click.
export function fill(list, items) {
	if (list.innerHTML !== items.map((item) => item.outerHTML).join('')) list.replaceChildren(...items);
}

let waits = 0;

// wait returns what a promise gives. Meanwhile the pointer shows that the page waits for something that a
// click has asked for.
export async function wait(promise) {
	const { classList } = document.documentElement;
	classList.toggle('waits', ++waits > 0);
	try {
		return await promise;
	} finally {
		classList.toggle('waits', --waits > 0);
	}
}

// options lets one choose a number from 1 to n.
export function options(select, n, value) {
	if (select.options.length !== n) select.replaceChildren(...Array.from({ length: n }, (_, i) => new Option(i + 1, i + 1)));
	select.value = value;
}
