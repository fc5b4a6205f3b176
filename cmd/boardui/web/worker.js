// Runs the program, tengen.wasm.bin, in a worker: by its name as an engine, which gets the compiled
// program in its first message, or else as what answers the page.

importScripts('wasm_exec.js', 'kernels.js');

self.early = []; // messages that come before the program handles them

// keep puts files where sw.js finds them without a connection: on the first visit it is not there yet
// to see what a worker loads.
async function keep(...files) {
	try {
		const cache = await caches.open('tengen');
		for (const file of files) if (!await cache.match(file)) await cache.add(file);
	} catch { /* only secure origins have caches, and there may be no room */ }
}

// load returns the content of a file, which is compressed by gzip whatever the host does, as the body
// of a response of that type. A host may find out how the file is compressed and say so, and then the
// browser has unpacked it.
async function load(file, type) {
	const response = await fetch(file);
	if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
	keep(file);
	const [body, same] = response.body.tee(), beginning = same.getReader(), { value: first } = await beginning.read();
	beginning.cancel();
	const packed = first?.[0] === 0x1f; // neither a program nor a network begins so
	return new Response(packed ? body.pipeThrough(new DecompressionStream('gzip')) : body, { headers: { 'Content-Type': type } });
}

const patience = 4000; // milliseconds

// loadBytes resolves to the content of a file. On a slow connection it is an error after a while,
// and loading goes on for the next time.
self.loadBytes = (file) => Promise.race([
	load(file + '.bin', 'application/octet-stream').then((response) => response.arrayBuffer()).then((data) => new Uint8Array(data)),
	new Promise((_, fail) => setTimeout(fail, patience, new Error(`${file}: not there after ${patience / 1000} s`))),
]);

// The files of the program are entries of a store: {data, stamp}, with a stamp that grows.

function store(mode, work) {
	return new Promise((resolve, reject) => {
		const opening = indexedDB.open('tengen', 1);
		opening.onupgradeneeded = () => opening.result.createObjectStore('files');
		opening.onerror = () => reject(opening.error);
		opening.onsuccess = () => {
			const base = opening.result;
			if (!base.objectStoreNames.contains('files')) { // another page has used the name
				base.close();
				return reject(new Error('the browser keeps something else by this name'));
			}
			const transaction = base.transaction('files', mode);
			let result;
			transaction.oncomplete = () => { base.close(); resolve(result); };
			transaction.onabort = () => { base.close(); reject(transaction.error); }; // there is no room, for one
			work(transaction.objectStore('files'), (value) => { result = value; });
		};
	});
}

// readKept returns the entry of that name, undefined if there is none.
self.readKept = (name) => store('readonly', (files, tell) => {
	files.get(name).onsuccess = ({ target }) => tell(target.result);
});

// writeKept replaces the entry with that stamp, 0 for none, and returns the stamp of the new one,
// undefined if there is another by now.
self.writeKept = (name, data, stamp) => store('readwrite', (files, tell) => {
	files.get(name).onsuccess = ({ target }) => {
		if ((target.result?.stamp ?? 0) !== stamp) return;
		files.put({ data, stamp: stamp + 1 }, name);
		tell(stamp + 1);
	};
});

// run runs the program to its end.
async function run(program) {
	self.program = program;
	const go = new Go();
	go.argv = ['boardui', ...self.name ? [self.name] : []];
	await go.run(await self.instantiate(program, go.importObject));
	throw new Error('the program has ended');
}

function fail(error) {
	setTimeout(() => { throw error; }); // the error of a worker reaches who started it
}

if (self.name) {
	self.onmessage = ({ data }) => {
		self.onmessage = ({ data: line }) => self.early.push(line);
		run(data).catch(fail);
	};
} else {
	self.onmessage = ({ data }) => self.early.push(data);
	load('tengen.wasm.bin', 'application/wasm').then(WebAssembly.compileStreaming).then(run).catch(fail);
	keep('worker.js', 'wasm_exec.js', 'kernels.js');
}
