// The texts of the page in the language that is chosen.

import { order, table } from './words.js';
import { study } from './study-text.js';

// languages are the names of the languages, each in itself.
export const languages = { en: 'English', zh: '中文', ja: '日本語', ko: '한국어', ru: 'Русский', vi: 'Tiếng Việt', et: 'Eesti' };

let language = 'en';

// usual returns the language that the browser asks for, English if there is none of it here.
export const usual = () => (navigator.languages || []).map((name) => name.slice(0, 2)).find((name) => order.includes(name)) || 'en';

// setLanguage chooses the language of t and updates the page: data-t is a text, data-label an
// accessible name, data-hint what an empty field says.
export function setLanguage(name) {
	language = order.includes(name) ? name : 'en';
	document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
	document.title = t('title');
	for (const e of document.querySelectorAll('[data-t]')) e.textContent = t(e.dataset.t);
	for (const e of document.querySelectorAll('[data-hint]')) e.placeholder = t(e.dataset.hint);
	for (const e of document.querySelectorAll('[data-label]')) {
		e.setAttribute('aria-label', t(e.dataset.label));
		if (e.tagName === 'BUTTON') e.title = t(e.dataset.label);
	}
}

// t returns the text of a key, with {name} replaced by values; the key itself if there is none.
export function t(key, values = {}) {
	const text = table[key]?.[order.indexOf(language)] ?? study(key, language) ?? key;
	return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
