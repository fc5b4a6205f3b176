// Instantiates the program with its kernels for vectors: two modules that the export adds here, see
// brain/nnue/wasm.go.

const unpack = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const gate = unpack('GATE'), kernels = unpack('KERNELS');

// instantiate returns an instance of the program. The kernels work on its memory, so that they come
// last; until then nothing calls them. Where the browser has no vectors, the program does without.
self.instantiate = async (program, imports) => {
	if (!WebAssembly.validate(kernels)) {
		const none = Object.fromEntries(['add', 'pool', 'layer', 'value', 'products', 'present'].map((name) => [name, () => 0]));
		return WebAssembly.instantiate(program, { ...imports, gate: none });
	}
	const opened = (await WebAssembly.instantiate(gate)).instance.exports;
	const instance = await WebAssembly.instantiate(program, { ...imports, gate: opened });
	await WebAssembly.instantiate(kernels, { program: instance.exports, gate: opened });
	return instance;
};
