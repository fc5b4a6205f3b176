// The service worker: it keeps the files of the page, so that the page opens when the program
// that serves it does not run. While the program runs, its files come from there.

const name = 'tengen';

// The files that this worker is for. Those of another version have another worker, so that browsers
// install that and load all files anew: without a connection none is older than the others.
const version = '';

// What the page loads later; the words of its language it puts here itself.
const later = ['dialogs.js', 'explorer.js', 'files.js', 'library.js', 'match.js', 'opens.js', 'picture.js', 'puzzles.js', 'record.js', 'review.js', 'setup.js', 'training.js'];

self.addEventListener('install', (event) => event.waitUntil((async () => {
	const anew = (file) => fetch(file, { cache: 'no-cache' });
	const page = await (await anew('./')).text();
	const files = Array.from(page.matchAll(/(?:href|src)="([\w.-]+)"/g), (m) => m[1]);
	const needed = ['./', ...files, ...later].map((file) => new URL(file, self.location).href);
	const cache = await caches.open(name), kept = await cache.keys();
	await cache.addAll([...new Set(needed)].map((file) => new Request(file, { cache: 'no-cache' })));
	for (const request of kept) { // what was loaded when it was needed
		if (needed.includes(request.url)) continue;
		const response = await anew(request.url);
		await (response.ok ? cache.put(request, response) : cache.delete(request));
	}
	await self.skipWaiting();
})()));

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

async function answer(request) {
	const cache = await caches.open(name);
	let response;
	try {
		response = await fetch(request);
	} catch (error) {
		const kept = await cache.match(request, { ignoreSearch: true });
		if (kept) return kept;
		throw error;
	}
	if (response.ok) await cache.put(request, response.clone()).catch(() => {}); // there may be no room
	return response;
}

self.addEventListener('fetch', (event) => {
	const { pathname, origin } = new URL(event.request.url);
	if (event.request.method === 'GET' && origin === self.location.origin && !pathname.startsWith('/api/')) event.respondWith(answer(event.request));
});
