// The texts of the page in the language that is chosen.

// languages are the names of the languages, each in itself.
export const languages = { en: 'English', zh: '中文', ja: '日本語', ko: '한국어', ru: 'Русский', vi: 'Tiếng Việt', et: 'Eesti' };

let words = {};
let wanted = ''; // the language chosen last

// usual returns the language that the browser asks for, English if there is none of it here.
export const usual = () => (navigator.languages || []).map((name) => name.slice(0, 2)).find((name) => name in languages) || 'en';

// setLanguage loads the texts of a language for t and updates the page: data-t is a text,
// data-label an accessible name, data-hint what an empty field says. If the texts cannot be had,
// those before stay.
export async function setLanguage(name) {
	const language = wanted = name in languages ? name : 'en';
	try {
		const found = await (await fetch(`words/${language}.json`)).json();
		if (wanted !== language) return; // another has been chosen meanwhile
		words = found;
	} catch {
		return;
	}
	document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
	document.title = t('title');
	for (const e of document.querySelectorAll('[data-t]')) e.textContent = t(e.dataset.t);
	for (const e of document.querySelectorAll('[data-hint]')) e.placeholder = t(e.dataset.hint);
	for (const e of document.querySelectorAll('[data-label]')) {
		e.setAttribute('aria-label', t(e.dataset.label));
		if (e.tagName === 'BUTTON') e.title = t(e.dataset.label);
	}
}

// levelText is the number and the name of a level of the engine.
export const levelText = (n) => `${n} · ${t('rank' + n)}`;

// t returns the text of a key, with {name} replaced by values; the key itself if there is none.
export const t = (key, values = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name]);
