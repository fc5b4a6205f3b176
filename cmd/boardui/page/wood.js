// The wooden texture of the board, painted on a canvas.

// numbers returns a generator of pseudo-random numbers (mulberry32), so that the texture is
// always the same.
function numbers(seed) {
	return () => {
		seed = (seed + 0x6d2b79f5) | 0;
		let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

// paint paints the texture, with vertical grain, if the size of the canvas has changed: its
// size on the screen, or width and height in pixels. It takes a few milliseconds.
export function paint(canvas, width, height) {
	const scale = width ? 1 : Math.min(window.devicePixelRatio || 1, 2);
	width ??= Math.round(canvas.clientWidth * scale);
	height ??= Math.round(canvas.clientHeight * scale);
	if (!width || !height || (canvas.width === width && canvas.height === height)) return;
	canvas.width = width;
	canvas.height = height;
	const g = canvas.getContext('2d');
	const next = numbers(1959);
	const ground = g.createLinearGradient(0, 0, width, height);
	ground.addColorStop(0, '#ecc388');
	ground.addColorStop(0.5, '#e3b473');
	ground.addColorStop(1, '#d9a663');
	g.fillStyle = ground;
	g.fillRect(0, 0, width, height);

	// Broad bands of summer and winter wood.
	for (let x = -0.05; x < 1.05; x += 0.02 + next() * 0.07) {
		const band = 0.01 + next() * 0.05;
		const shade = g.createLinearGradient(x * width, 0, (x + band) * width, 0);
		const strength = 0.05 + next() * 0.1;
		shade.addColorStop(0, 'rgba(140,82,28,0)');
		shade.addColorStop(0.7, `rgba(140,82,28,${strength})`);
		shade.addColorStop(1, 'rgba(140,82,28,0)');
		g.fillStyle = shade;
		g.fillRect(x * width, 0, band * width, height);
	}

	// The grain: lines that bend together, so that they never cross.
	const swing = [next() * 6, next() * 6, next() * 6];
	const offset = (x, y) => Math.sin(y * 2.1 + swing[0] + x * 1.5) * 0.012 + Math.sin(y * 4.7 + swing[1] + x * 3) * 0.004 +
		Math.sin(y * 0.9 + swing[2]) * 0.03 * (x - 0.4);
	let x = -0.04;
	while (x < 1.04) {
		g.beginPath();
		for (let y = 0; y <= 1.0001; y += 0.05) {
			const at = (x + offset(x, y)) * width;
			if (y === 0) g.moveTo(at, 0);
			else g.lineTo(at, y * height);
		}
		g.lineWidth = (0.5 + next() * 1.1) * scale;
		g.strokeStyle = `rgba(118,66,20,${0.05 + next() * 0.16})`;
		g.stroke();
		x += 0.003 + next() * next() * 0.022;
	}

	// Pores: short dashes along the grain.
	g.lineWidth = 0.7 * scale;
	for (let i = 0; i < width * height / (900 * scale * scale); i++) {
		const px = next(), py = next(), length = (2 + next() * 9) * scale;
		const at = (px + offset(px, py)) * width;
		g.strokeStyle = `rgba(96,50,12,${0.06 + next() * 0.12})`;
		g.beginPath();
		g.moveTo(at, py * height);
		g.lineTo(at, py * height + length);
		g.stroke();
	}

	// Light from the top left.
	const light = g.createRadialGradient(width * 0.25, height * 0.15, 0, width * 0.25, height * 0.15, width * 1.15);
	light.addColorStop(0, 'rgba(255,244,214,0.28)');
	light.addColorStop(0.6, 'rgba(255,244,214,0)');
	light.addColorStop(1, 'rgba(90,44,6,0.16)');
	g.fillStyle = light;
	g.fillRect(0, 0, width, height);
}
