// The service worker: it keeps the files of the page, so that the page opens when the program
// that serves it does not run. While the program runs, its files come from there.

const name = 'tengen';

// The files that this worker is for. Those of another version have another worker, so that browsers
// install that and load all files anew: without a connection none is older than the others.
const version = '';

// What the page loads later, and the words, of which it loads one language at a time.
const languages = ['en', 'zh', 'ja', 'ko', 'ru', 'vi', 'et'];
const later = ['dialogs.js', 'explorer.js', 'files.js', 'library.js', 'match.js', 'opens.js', 'picture.js', 'puzzles.js', 'record.js', 'review.js', 'setup.js', 'training.js'];

// Asks the host even where the browser has an answer that counts as fresh: files of two versions do
// not fit together.
const anew = { cache: 'no-cache' };

// No file is replaced before all are there, and without room none is kept.
self.addEventListener('install', (event) => event.waitUntil((async () => {
	const page = await (await fetch('./', anew)).text();
	const files = Array.from(page.matchAll(/(?:href|src)="([\w.-]+)"/g), (m) => m[1]);
	const needed = ['./', ...files, ...later, ...languages.map((language) => `words/${language}.json`)].map((file) => new URL(file, self.location).href);
	const cache = await caches.open(name);
	const kept = (await cache.keys()).map((request) => request.url).filter((url) => url.startsWith(self.registration.scope));
	const loaded = await Promise.all([...new Set([...needed, ...kept])].map(async (url) => {
		const response = await fetch(url, anew);
		if (response.ok) return [url, new Response(await response.blob(), response)];
		if (needed.includes(url)) throw new Error(`${url}: ${response.status}`);
		return [url, null];
	}));
	try {
		for (const [url, response] of loaded) await (response ? cache.put(url, response) : cache.delete(url));
	} catch (error) {
		for (const [url] of loaded) await cache.delete(url);
		throw error;
	}
	await self.skipWaiting();
})()));

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

async function answer(request) {
	try {
		return await fetch(request, anew);
	} catch (error) {
		const cache = await caches.open(name), kept = await cache.match(request.url.replace(/\/index\.html\b/, '/'), { ignoreSearch: true });
		if (kept) return kept;
		throw error;
	}
}

self.addEventListener('fetch', (event) => {
	const { pathname, origin } = new URL(event.request.url);
	if (event.request.method === 'GET' && origin === self.location.origin && !pathname.startsWith('/api/')) event.respondWith(answer(event.request));
});
