// Modules that the page loads when they are first needed.

import { Wrong } from './api.js';
import { wait } from './dom.js';
import { fail } from './state.js';

const loaded = {};  // by name
const loading = {}; // promises of these

// part is a module that has been loaded, or undefined.
export const part = (name) => loaded[name];

// need loads a module and connects it to the page, once.
function need(name) {
	return loading[name] ??= import(`./${name}.js`).then((module) => {
		module.listen?.();
		return loaded[name] = module;
	}, (error) => {
		delete loading[name];
		throw new Wrong('gone', String(error));
	});
}

// use loads a module and calls what with it.
export const use = (name, what) => wait(need(name)).then(what).catch(fail);
