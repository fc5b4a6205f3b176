// Steps through a reviewed game: a board, a plot of the chances and what was better. The state
// is how many moves are on the board; go() changes and shows it.
"use strict";
(() => {
	const data = JSON.parse(document.getElementById("data").textContent);
	const $ = id => document.getElementById(id);
	// parse reads "h8g7...": columns and rows from 0, rows from the bottom.
	const parse = text => (text || "").match(/[a-z]\d+/g)?.map(s => ({ x: s.charCodeAt(0) - 97, y: data.height - s.slice(1), s })) || [];
	const moves = parse(data.pos);
	let at = moves.length;

	function svg(name, attrs, parent, text) {
		const e = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const k in attrs) e.setAttribute(k, attrs[k]);
		if (text !== undefined) e.textContent = text;
		parent?.append(e);
		return e;
	}
	const percent = share => Math.round(100 * share) + "%";
	const worth = w => (w.mate === undefined ? (w.score > 0 ? "+" : "") + w.score : (w.winrate > 0.5 ? "+M" : "-M") + Math.abs(w.mate)) + ", " + percent(w.winrate);

	function drawBoard() {
		const { width, height } = data;
		const root = svg("svg", { viewBox: `-1 -0.6 ${width + 0.6} ${height + 0.6}`, role: "img", "aria-label": `Position after ${at} moves` });
		svg("rect", { class: "wood", x: -1, y: -0.6, width: width + 0.6, height: height + 0.6 }, root);
		let path = "";
		for (let x = 0; x < width; x++) path += `M${x},0V${height - 1}`;
		for (let y = 0; y < height; y++) path += `M0,${y}H${width - 1}`;
		svg("path", { class: "grid", d: path }, root);
		for (let x = 0; x < width; x++) svg("text", { class: "edge", x, y: height - 0.28 }, root, String.fromCharCode(97 + x));
		for (let y = 0; y < height; y++) svg("text", { class: "edge", x: -0.68, y: y + 0.15 }, root, height - y);
		if (width % 2 && height % 2) svg("circle", { class: "star", cx: (width - 1) / 2, cy: (height - 1) / 2, r: 0.1 }, root);
		for (let i = 0; i < at; i++) {
			const { x, y } = moves[i], side = i % 2 ? "w" : "b";
			svg("circle", { class: side, cx: x, cy: y, r: 0.44 }, root);
			svg("text", { class: "num " + side, x, y: y + 0.14 }, root, i + 1);
		}
		if (at > 0) {
			svg("circle", { class: "mark", cx: moves[at - 1].x, cy: moves[at - 1].y, r: 0.44 }, root);
			// What was better instead of the last move, numbered from its place.
			parse(data.moves[at - 1].better).forEach((m, i) => {
				if (moves.slice(0, at).some(o => o.x === m.x && o.y === m.y)) return;
				svg("circle", { class: "hint", cx: m.x, cy: m.y, r: 0.4 }, root);
				svg("text", { class: "hint n", x: m.x, y: m.y + 0.15 }, root, i + at);
			});
		}
		root.addEventListener("click", () => go(at + 1));
		$("board").replaceChildren(root);
	}

	const plot = { width: 360, height: 150, left: 34, right: 8, top: 10, bottom: 18 };
	const px = n => plot.left + n / Math.max(moves.length, 1) * (plot.width - plot.left - plot.right);
	const py = share => plot.top + (1 - share) * (plot.height - plot.top - plot.bottom);
	let cursor;
	function drawPlot() {
		const root = svg("svg", { viewBox: `0 0 ${plot.width} ${plot.height}`, role: "img", "aria-label": "Chance of Black to win after each move" });
		for (const share of [0, 0.5, 1]) {
			svg("line", { class: "axis", x1: plot.left, x2: plot.width - plot.right, y1: py(share), y2: py(share) }, root);
			svg("text", { x: plot.left - 4, y: py(share) + 3, "text-anchor": "end" }, root, percent(share));
		}
		const every = [1, 2, 5, 10, 20, 50, 100].find(n => moves.length / n <= 10) || 200;
		for (let n = 0; n <= moves.length; n += every) svg("text", { x: px(n), y: plot.height - 5, "text-anchor": "middle" }, root, n);
		const points = [];
		data.positions.forEach((p, n) => p && points.push(`${px(n).toFixed(1)},${py(p.winrate).toFixed(1)}`));
		svg("polyline", { class: "curve", points: points.join(" ") }, root);
		data.moves.forEach((m, i) => {
			const p = data.positions[i + 1];
			if (p && ["inaccuracy", "mistake", "blunder"].includes(m.class)) {
				svg("title", {}, svg("circle", { class: m.class, cx: px(i + 1), cy: py(p.winrate), r: 3.5 }, root), `${i + 1}. ${m.move}: ${m.class}`);
			}
		});
		cursor = svg("line", { class: "cursor", y1: plot.top, y2: plot.height - plot.bottom }, root);
		root.addEventListener("click", e => {
			const box = root.getBoundingClientRect();
			const x = (e.clientX - box.left) / box.width * plot.width;
			go(Math.round((x - plot.left) / (plot.width - plot.left - plot.right) * moves.length));
		});
		$("plot").replaceChildren(root);
	}

	function go(n) {
		at = Math.max(0, Math.min(n, moves.length));
		drawBoard();
		cursor.setAttribute("x1", px(at));
		cursor.setAttribute("x2", px(at));
		for (const li of $("moves").children) li.classList.toggle("on", +li.dataset.n === at);
		const li = at > 0 && $("moves").children[at - 1];
		if (li) {
			const box = $("moves"), top = li.offsetTop - box.offsetTop;
			if (top < box.scrollTop || top + li.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
		}
		const m = data.moves[at - 1];
		$("now").textContent = !m ? "Empty board" : `${at}. ${m.side} ${m.move}: ${m.foul ? "forbidden, " : ""}${m.class}` + (m.after ? ` (${worth(m.after)} for ${m.side})` : "");
		$("better").textContent = m && m.better ? `better: ${parse(m.better).map(x => x.s).join(" ")} (${worth(m.before)})` : "";
		document.body.dataset.at = at;
	}
	// toMistake goes to the next mistake, from the first again after the last.
	function toMistake() {
		const worse = data.moves.filter(m => ["inaccuracy", "mistake", "blunder"].includes(m.class)).map(m => m.number);
		if (worse.length) go(worse.find(n => n > at) ?? worse[0]);
	}
	const keys = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(moves.length), m: toMistake, M: toMistake };
	document.addEventListener("keydown", e => {
		if (e.ctrlKey || e.altKey || e.metaKey || !keys[e.key]) return;
		keys[e.key]();
		e.preventDefault();
	});
	$("first").onclick = keys.Home;
	$("back").onclick = keys.ArrowLeft;
	$("next").onclick = keys.ArrowRight;
	$("last").onclick = keys.End;
	$("worse").onclick = toMistake;
	for (const li of $("moves").children) li.onclick = () => go(+li.dataset.n);
	drawPlot();
	go(at);
})();
