// Shows a running match: the server sends what has changed.
(() => {
	const $ = id => document.getElementById(id);
	const size = +document.body.dataset.size;
	const boxes = new Map(); // by place

	function box(place) {
		if (boxes.has(place)) return boxes.get(place);
		const b = { root: el("article", "game") };
		for (const [side, color] of [["black", "Black"], ["white", "White"]]) {
			const line = el("p", "side", undefined, b.root);
			const stone = el("span", "stone " + side, undefined, line);
			stone.title = color;
			b[side] = { line, name: el("b", "", "", line), eval: el("span", "eval", "", line) };
		}
		b.board = el("div", "boardbox", undefined, b.root);
		b.note = el("p", "note", "", b.root);
		boxes.set(place, b);
		$("boards").replaceChildren(...[...boxes].sort((a, b) => a[0] - b[0]).map(([, b]) => b.root));
		return b;
	}

	function show(g) {
		const b = box(g.place), moves = parseMoves(g.moves, size);
		b.root.dataset.game = g.game;
		b.root.dataset.ply = moves.length;
		b.root.classList.toggle("ended", Boolean(g.result));
		for (const [side, n, won] of [["black", 0, "1-0"], ["white", 1, "0-1"]]) {
			const { line, name, eval: value } = b[side];
			name.textContent = name.title = g[side];
			line.classList.toggle("turn", !g.result && moves.length % 2 === n);
			line.classList.toggle("won", g.result === won);
			const own = (g.evals || []).filter((_, k) => (g.opening + k) % 2 === n);
			const last = own.length ? own[own.length - 1] : null;
			value.textContent = last === null ? "" : String(last);
		}
		const five = g.reason === "five" && winningRow(moves, g.rule);
		b.board.replaceChildren(boardPicture(size, moves, g.opening, five ? [five] : []));
		b.note.textContent = `Game ${g.game}, ` + (g.result ? (g.result === "1/2-1/2" ? "drawn" : "ended by " + g.reason) + (g.detail ? `: ${g.detail}` : "") : `move ${moves.length}`);
	}

	function standings(m) {
		$("summary").textContent = m.summary;
		// Parts of HTML by the same program, in which all names are escaped.
		$("facts").innerHTML = m.facts;
		$("test").innerHTML = m.test;
		const [table, note] = m.standings.split("</table></div>");
		$("standings").innerHTML = table;
		$("failures").innerHTML = note;
		$("crosstable").innerHTML = m.cross;
	}

	function state(text, cls) {
		$("state").textContent = text;
		$("state").className = "state " + cls;
	}

	const events = new EventSource("events");
	events.onopen = () => state("live", "live");
	events.onerror = () => state("the connection is lost, waiting", "lost");
	events.onmessage = e => {
		const news = JSON.parse(e.data);
		for (const g of news.games || []) show(g);
		if (news.match) standings(news.match);
		if (news.over) {
			events.close();
			state("over", "");
		}
	};
})();
