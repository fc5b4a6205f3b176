// Lets the page run without a server: its requests go to the program in a worker. See worker.js.

{
	// The page says why it does not run. It may have no other words than these.
	const missing = ['Worker', 'WebAssembly', 'DecompressionStream', 'BroadcastChannel'].filter((name) => !(name in window));
	const asFile = location.protocol === 'file:';
	const why = asFile ? 'The board does not open as a file. Put its folder on a web host, or run “python3 -m http.server” in it and open http://localhost:8000.'
		: missing.length ? `The board needs a newer browser: this one has no ${missing.join(' and no ')}.` : '';
	if (why) document.addEventListener('DOMContentLoaded', () => {
		const note = document.createElement('p');
		note.role = 'alert';
		note.className = 'why';
		note.textContent = why;
		document.body.prepend(note);
	});

	const ask = window.fetch;
	let worker = null;
	let last = 0;            // id of a request
	const open = new Map(); // by id: {resolve, reject, body} of requests without the end of an answer

	function start() {
		const started = worker = new Worker('worker.js');
		started.onmessage = ({ data }) => take(data);
		started.onerror = (event) => {
			event.preventDefault();
			if (worker === started) end(event.message || 'the program does not start');
		};
	}

	// end fails all requests after the program has failed. The next one starts it again.
	function end(reason) {
		worker.terminate();
		worker = null;
		for (const [id, request] of open) fail(id, request, new TypeError(reason));
	}

	function fail(id, request, error) {
		open.delete(id);
		if (request.body) request.body.error(error);
		else request.reject(error);
	}

	// take handles a part of an answer.
	function take({ id, status, headers, part, end }) {
		const request = open.get(id);
		if (!request) return; // it was aborted
		if (status) {
			const stream = new ReadableStream({ start: (body) => { request.body = body; } });
			request.resolve(new Response(stream, { status, headers }));
		}
		if (part) request.body.enqueue(part);
		if (end) {
			open.delete(id);
			request.body.close();
		}
	}

	window.fetch = async (path, how = {}) => {
		if (typeof path !== 'string' || !path.startsWith('/api/')) return ask(path, how);
		const { method = 'GET', headers = {}, body, signal } = how;
		const bytes = body ? new Uint8Array(await new Response(body).arrayBuffer()) : null;
		signal?.throwIfAborted();
		if (!worker) start();
		return new Promise((resolve, reject) => {
			const id = ++last, request = { resolve, reject };
			open.set(id, request);
			worker.postMessage({ id, method, path, headers: Object.entries(headers), body: bytes });
			signal?.addEventListener('abort', () => {
				if (!open.has(id)) return;
				fail(id, request, signal.reason);
				worker.postMessage({ id, abort: true });
			});
		});
	};

	if (!why) start();
}
