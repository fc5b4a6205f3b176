// Replays the games of the report: a list, a board, two plots and the moves. The state
// is the game and how many of its moves are on the board; draw() shows it.
(() => {
	const data = JSON.parse(document.getElementById("data").textContent);
	// Short names for the fields of the journal; b and w are indices of engines.
	data.games = data.games.map(g => ({
		n: g.game, b: data.engines.indexOf(g.black), w: data.engines.indexOf(g.white), r: g.result, why: g.reason, detail: g.detail,
		m: g.moves, o: g.opening, t: g.time, d: g.depth, e: g.eval, k: g.nodes, at: g.started, rows: g.rows || [], rule: g.rule,
	}));
	const $ = id => document.getElementById(id);
	const size = data.size;
	let shown = data.games; // after the filter
	let game = null, moves = [], at = 0, timer = 0;

	const score = { "1-0": "1 : 0", "0-1": "0 : 1", "1/2-1/2": "½ : ½" };

	function millis(t) {
		if (t === undefined) return "";
		return t >= 10000 ? (t / 1000).toFixed(1) + " s" : t >= 100 ? t.toFixed(0) + " ms" : t.toFixed(1) + " ms";
	}
	function count(n) {
		return n >= 1e6 ? (n / 1e6).toFixed(1) + " M" : n >= 1e4 ? (n / 1e3).toFixed(0) + " k" : String(n);
	}
	// level puts an evaluation between -1 and 1: proven results are the ends.
	function level(e) {
		if (typeof e === "string") return e[0] === "-" ? -1 : 1;
		return e / (Math.abs(e) + 300);
	}

	// ---- the list

	function buildFilter() {
		for (const [i, name] of data.engines.entries()) $("who").append(new Option(name, i));
		const reasons = [...new Set(data.games.map(g => g.why))].sort();
		for (const r of reasons) $("how").append(new Option(r, r));
		$("who").onchange = $("how").onchange = () => {
			const who = $("who").value, how = $("how").value;
			shown = data.games.filter(g => (who === "" || g.b === +who || g.w === +who) && (how === "" || g.why === how));
			buildRows();
			if (shown.length && !shown.includes(game)) open(shown[0], Infinity);
		};
	}
	function buildRows() {
		const all = document.createDocumentFragment();
		for (const g of shown) {
			const row = el("div", "row", undefined, all);
			row.id = "row" + g.n;
			row.dataset.n = g.n;
			row.setAttribute("role", "option");
			el("span", "no", g.n, row);
			const who = el("span", "who", undefined, row);
			for (const [side, index, won] of [["black", g.b, "1-0"], ["white", g.w, "0-1"]]) {
				const line = el("span", g.r === won ? "won" : "", undefined, who);
				el("i", "stone " + side, undefined, line);
				line.append(data.engines[index]);
			}
			const res = el("span", "res", score[g.r], row);
			el("small", ["five", "rows", "draw", "no move", "adjudication"].includes(g.why) ? "" : "lostby", g.why, res);
		}
		$("rows").replaceChildren(all);
		markRow();
	}
	function markRow() {
		for (const row of $("rows").querySelectorAll(".row.on")) {
			row.classList.remove("on");
			row.removeAttribute("aria-selected");
		}
		const row = game && $("row" + game.n);
		$("rows").setAttribute("aria-activedescendant", row ? row.id : "");
		if (!row) return;
		row.classList.add("on");
		row.setAttribute("aria-selected", "true");
		const box = $("rows"), top = row.offsetTop - box.offsetTop;
		if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight) {
			box.scrollTop = top - box.clientHeight / 2;
		}
	}

	// ---- one game

	function open(g, ply) {
		game = g;
		moves = parseMoves(g.m, size);
		at = Math.min(ply, moves.length);
		stop();
		$("black").textContent = data.engines[g.b];
		$("white").textContent = data.engines[g.w];
		$("score").textContent = score[g.r];
		$("ending").textContent = `Game ${g.n}, ${ending(g)}, ${moves.length} moves` + (g.o ? `, ${g.o} of them given` : "");
		const list = document.createDocumentFragment();
		moves.forEach((m, i) => {
			const li = el("li", i < g.o ? "given" : "", undefined, list);
			el("i", "", i + 1, li);
			li.append(m.s);
			li.onclick = () => go(i + 1);
		});
		$("moves").replaceChildren(list);
		plotEvals();
		plotTimes();
		markRow();
		draw();
	}
	function ending(g) {
		if (g.r === "1/2-1/2") return "drawn" + (g.detail ? ": " + g.detail : "");
		const [winner, loser] = g.r === "1-0" ? [g.b, g.w] : [g.w, g.b];
		if (g.why === "five") return data.engines[winner] + " made a five";
		if (g.why === "rows") return `${data.engines[winner]} made more rows, ${g.detail}`;
		if (g.why === "adjudication") return data.engines[winner] + " won by adjudication" + (g.detail ? ": " + g.detail : "");
		if (g.why === "no move") return `${data.engines[winner]} won: ${g.detail}`;
		return `${data.engines[loser]} lost by ${g.why}` + (g.detail ? ` (${g.detail})` : "");
	}
	function go(ply) {
		at = Math.max(0, Math.min(ply, moves.length));
		draw();
	}
	function draw() {
		drawBoard();
		for (const li of $("moves").querySelectorAll(".on")) li.classList.remove("on");
		const li = at > 0 && $("moves").children[at - 1];
		if (li) {
			li.classList.add("on");
			const box = $("moves"), top = li.offsetTop - box.offsetTop;
			if (top < box.scrollTop || top + li.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
		}
		for (const line of document.querySelectorAll(".plot .cursor")) {
			const x = line.dataset.left * 1 + (at - 0.5) * line.dataset.step;
			line.setAttribute("x1", x);
			line.setAttribute("x2", x);
			line.style.visibility = at > 0 ? "" : "hidden";
		}
		$("now").textContent = describe();
		document.body.dataset.game = game.n;
		document.body.dataset.ply = at;
		try {
			history.replaceState(null, "", `#game=${game.n}&move=${at}`);
		} catch { /* some places refuse it to local files */ }
	}
	function describe() {
		if (at === 0) return "Empty board";
		const i = at - 1, k = i - game.o;
		let text = `${at}. ${i % 2 ? "White" : "Black"} ${moves[i].s}`;
		if (k < 0) return text + ", given";
		const words = [millis(game.t[k])];
		if (game.e && game.e[k] !== null) words.push("eval " + game.e[k]);
		if (game.d && game.d[k]) words.push("depth " + game.d[k]);
		if (game.k && game.k[k]) words.push(count(game.k[k]) + " nodes");
		return text + ": " + words.filter(Boolean).join(", ");
	}

	function drawBoard() {
		const lines = [];
		if (at > 0) {
			lines.push(...game.rows.filter(row => row.move <= at).map(row => parseMoves(row.ends, size).flatMap(m => [m.x, m.y])));
			const last = at === moves.length && game.why === "five" && winningRow(moves, game.rule);
			if (last) lines.push(last);
		}
		const root = boardPicture(size, moves.slice(0, at), game.o, lines);
		root.addEventListener("click", e => {
			const box = root.getBoundingClientRect();
			const x = Math.round((e.clientX - box.left) / box.width * (size + 1) - 1);
			const y = Math.round((e.clientY - box.top) / box.height * (size + 1) - 1);
			const i = moves.slice(0, at).findIndex(m => m.x === x && m.y === y);
			// A stone leads to its own move, the rest of the board a move on.
			go(i >= 0 && i < at - 1 ? i + 1 : at + 1);
		});
		$("board").replaceChildren(root);
	}

	// ---- plots

	const plot = { width: 300, height: 120, left: 30, right: 8, top: 8, bottom: 16 };
	function plotBase(where) {
		const root = svg("svg", { viewBox: `0 0 ${plot.width} ${plot.height}`, role: "img" });
		const step = (plot.width - plot.left - plot.right) / Math.max(moves.length, 1);
		const x = i => plot.left + (i + 0.5) * step;
		const every = [1, 2, 5, 10, 20, 50, 100].find(n => moves.length / n <= 7) || 200;
		for (let i = every; i <= moves.length; i += every) {
			svg("text", { x: x(i - 1), y: plot.height - 4, "text-anchor": "middle" }, root, i);
		}
		root.addEventListener("click", e => {
			const box = root.getBoundingClientRect();
			const px = (e.clientX - box.left) / box.width * plot.width;
			go(Math.max(1, Math.ceil((px - plot.left) / step)));
		});
		where.replaceChildren(root);
		return { root, x, step };
	}
	function cursor(p) {
		const line = svg("line", { class: "cursor", y1: plot.top, y2: plot.height - plot.bottom }, p.root);
		line.dataset.left = plot.left;
		line.dataset.step = p.step;
	}
	function plotEvals() {
		if (!game.e) {
			$("evals").replaceChildren(el("p", "none", "The engines told no evaluation."));
			return;
		}
		const p = plotBase($("evals"));
		const y = v => plot.top + (1 - v) / 2 * (plot.height - plot.top - plot.bottom);
		for (const [v, text] of [[1, "win"], [level(300), "300"], [level(-300), "−300"], [-1, "loss"]]) {
			svg("line", { class: "grid", x1: plot.left, x2: plot.width - plot.right, y1: y(v), y2: y(v) }, p.root);
			svg("text", { x: plot.left - 3, y: y(v) + 3, "text-anchor": "end" }, p.root, text);
		}
		svg("line", { class: "zero", x1: plot.left, x2: plot.width - plot.right, y1: y(0), y2: y(0) }, p.root);
		for (const side of [0, 1]) {
			const points = [];
			game.e.forEach((e, k) => {
				const i = game.o + k;
				if (i % 2 === side && e !== null) points.push([p.x(i), y(side ? -level(e) : level(e))]);
			});
			const cls = side ? "w" : "b";
			svg("polyline", { class: "l" + cls, points: points.map(a => a.map(v => v.toFixed(1)).join()).join(" ") }, p.root);
			for (const [cx, cy] of points) svg("circle", { class: "f" + cls, cx, cy, r: 1.7 }, p.root);
		}
		cursor(p);
	}
	function plotTimes() {
		if (!game.t.length) {
			$("times").replaceChildren(el("p", "none", "No move was played."));
			return;
		}
		const p = plotBase($("times"));
		const most = Math.max(...game.t, 0.001), low = plot.height - plot.bottom;
		for (const part of [0.5, 1]) {
			const y = low - part * (low - plot.top);
			svg("line", { class: "grid", x1: plot.left, x2: plot.width - plot.right, y1: y, y2: y }, p.root);
			const ms = most * part;
			svg("text", { x: plot.left - 3, y: y + 3, "text-anchor": "end" }, p.root,
				ms >= 1000 ? (ms / 1000).toPrecision(2) + "s" : ms >= 10 ? ms.toFixed(0) : ms.toFixed(1));
		}
		const wide = Math.max(p.step * 0.75, 0.8);
		game.t.forEach((t, k) => {
			const i = game.o + k, h = Math.max(t / most * (low - plot.top), 0.7);
			const bar = svg("rect", { class: i % 2 ? "fw" : "fb", x: p.x(i) - wide / 2, y: low - h, width: wide, height: h }, p.root);
			svg("title", {}, bar, `${i + 1}. ${moves[i] ? moves[i].s : ""} ${millis(t)}`);
		});
		svg("line", { class: "grid", x1: plot.left, x2: plot.width - plot.right, y1: low, y2: low }, p.root);
		cursor(p);
	}

	// ---- hands

	function stop() {
		clearInterval(timer);
		timer = 0;
		$("play").classList.remove("on");
	}
	function play() {
		if (timer) return stop();
		if (at === moves.length) go(0);
		$("play").classList.add("on");
		timer = setInterval(() => {
			go(at + 1);
			if (at === moves.length) stop();
		}, 450);
	}
	function step(by) {
		const i = shown.indexOf(game) + by;
		if (i >= 0 && i < shown.length) open(shown[i], Infinity);
	}
	const keys = {
		ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), ArrowUp: () => step(-1), ArrowDown: () => step(1),
		Home: () => go(0), End: () => go(moves.length), " ": play,
	};
	document.addEventListener("keydown", e => {
		if (e.ctrlKey || e.altKey || e.metaKey || /^(SELECT|INPUT)$/.test(e.target.tagName)) return;
		if (e.key === " " && e.target.tagName === "BUTTON") return; // it presses the button
		if (keys[e.key] && (seen() || $("games").contains(e.target))) {
			e.preventDefault();
			if (e.key !== " ") stop();
			keys[e.key]();
		}
	});
	// seen reports whether the board is on the screen, so that arrows, Home and End keep
	// scrolling the page elsewhere, unless the focus is among the games.
	function seen() {
		const box = $("board").getBoundingClientRect();
		return box.bottom > 0 && box.top < window.innerHeight;
	}
	$("first").onclick = () => { stop(); go(0); };
	$("back").onclick = () => { stop(); go(at - 1); };
	$("next").onclick = () => { stop(); go(at + 1); };
	$("last").onclick = () => { stop(); go(moves.length); };
	$("play").onclick = play;
	$("rows").addEventListener("click", e => {
		const row = e.target.closest(".row");
		const g = row && shown.find(g => g.n === +row.dataset.n);
		if (g) open(g, Infinity);
	});
	for (const b of document.querySelectorAll("button")) b.addEventListener("click", e => { if (e.detail) b.blur(); }); // a mouse, no key

	buildFilter();
	buildRows();
	// openLink shows the game of the page's address and returns whether there is one.
	function openLink() {
		const link = /^#game=(\d+)(?:&move=(\d+))?$/.exec(location.hash);
		const linked = link && data.games.find(g => g.n === +link[1]);
		if (linked) open(linked, link[2] !== undefined ? +link[2] : Infinity);
		return Boolean(linked);
	}
	window.addEventListener("hashchange", openLink);
	if (!openLink()) open(data.games[0], Infinity);
})();
