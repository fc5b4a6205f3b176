// The service worker: it keeps the files of the page, so that the page opens when the program
// that serves it does not run. While the program runs, its files come from there.

const name = 'tengen';

// What the page loads later; the words of its language it puts here itself.
const later = ['dialogs.js', 'explorer.js', 'files.js', 'library.js', 'match.js', 'opens.js', 'picture.js', 'puzzles.js', 'record.js', 'review.js', 'setup.js', 'training.js'];

self.addEventListener('install', (event) => event.waitUntil((async () => {
	const page = await (await fetch('./')).text();
	const files = Array.from(page.matchAll(/(?:href|src)="([\w.-]+)"/g), (m) => m[1]);
	await (await caches.open(name)).addAll(['./', ...new Set([...files, ...later])]);
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
