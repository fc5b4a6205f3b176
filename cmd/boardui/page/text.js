// The texts of the page in its two languages.

import { order, study } from './study-text.js';

const english = {
	title: 'Tengen', newGame: 'New game', files: 'Open and save', theme: 'Light or dark', help: 'Help',
	steps: 'Step through the game', first: 'First position', prev: 'Previous move', next: 'Next move', last: 'Last position',
	black: 'Black', white: 'White', blackPlayer: 'Who plays black', whitePlayer: 'Who plays white', you: 'You', person: 'Person',
	score: 'Score', takeBack: 'Take back', hint: 'Hint', analyse: 'Analyse', handOver: 'Swap sides', moveNow: 'Move now',
	pause: 'Pause', goOn: 'Resume', resign: 'Resign', restart: 'Restart',
	opponent: 'Opponent', level: 'Level', style: 'Style', time: 'Time', levelNow: '{n} of 10',
	style0: 'balanced', styleAttack: 'attack +{n}', styleDefence: 'defence +{n}', seconds: '{n} s a move',
	panels: 'Panels', tabPlay: 'Play', tabMoves: 'Moves',
	show: 'Show', numbers: 'Numbers', threats: 'Threats', coordinates: 'Coordinates', sound: 'Sound',
	youPlay: 'You play', two: 'Two people', watch: 'Watch', against: 'Against', second: 'Second engine',
	opening: 'Opening', openingNone: 'Empty board', openingSwapMe: 'Swap2, you place three stones', openingSwapEngine: 'Swap2, the engine places three stones',
	openingFour: 'Four stones on 11 × 11', openingSeven: 'Empty board of 7 × 7',
	size: 'Size', rule: 'Rule', cancel: 'Cancel', start: 'Start', close: 'Close',
	save: 'Save', open: 'Open', chooseFile: 'Choose a file (SGF, .lib, .psq, text)', position: 'Position', copy: 'Copy', load: 'Load',
	posHelp: 'Moves as in h8i9j7: the letter of the column, the number of the row from the bottom. Black begins.',
	rule0: 'Freestyle', rule1: 'Standard', rule4: 'Renju', rule8: 'Caro', rule9: 'Caro, exactly five', rule5: 'Renju, exactly five',
	ruleText0: 'Five or more in a row win.', ruleText1: 'Exactly five in a row win.',
	ruleText4: 'Black wins with exactly five and may not make two threes, two fours or six. White wins with five or more.',
	ruleText8: 'Five in a row win unless the opponent has a stone at both ends.',
	ruleText9: 'Exactly five in a row win unless the opponent has a stone at both ends.',
	ruleText5: 'Exactly five win; black may not make two threes, two fours or six.',
	plyOf: '{k} / {n}', onMove: '{who} to move', yourMove: 'Your move', thinking: 'thinking', waiting: 'waiting for its turn, {n} ahead',
	depth: 'depth {d}', nodes: '{n} nodes', answered: '{s} s', tookMove: 'played {m}',
	won: '{who} wins', youWin: 'You win', youLose: 'You lose', draw: 'Draw', byResign: '{who} resigned', noMove: 'black has no legal move', paused: 'Paused',
	lookingBack: 'Move {k} of {n}', replaces: '. A stone here begins a variation.', toEnd: 'Back to the game',
	forbidden: '{m} is forbidden for black', forbiddenWhy: 'An overline, two fours or two open threes.', taken: 'There is already a stone on {m}', notYours: 'It is not your turn', given: 'The opening cannot be changed',
	isOver: 'The game is over', stop: '. ',
	share: 'Copy link', badLink: 'This link has no game',
	confirm: 'Confirm taps', tapAgain: 'Tap {m} again to place the stone',
	blackEngine: 'Black engine', whiteEngine: 'White engine', atOnce: 'at once',
	storageFull: 'The browser has no room left: this game is not stored. Save it as a file, or delete others.',
	winsIn: '{who} wins in {n}',
	scoreTitle: 'Positive is good for {who}', noScore: 'no score yet',
	hintIs: 'Hint: {m}', lineLabel: 'Line {n}, {s}: {m}', analysing: 'looking for the best lines', plotLabel: 'Score over the game, {n} moves',
	swapPlace: 'Swap2: place black, white and black', swapThink: 'Swap2: the engine decides', swapChoose: 'Swap2: which side do you take?',
	swapTwo: 'Swap2: place white and black', takeBlack: 'Black', takeWhite: 'White', placeTwo: 'Place two more', swapThree: 'Swap2: the engine places three stones',
	engineSwaps: 'The engine takes black', engineStays: 'The engine takes white', youAre: 'You play {who}',
	boardLabel: 'Board of {w} by {h}. Arrow keys move, Enter places a stone.', cellEmpty: '{m}', cellBlack: '{m} black', cellWhite: '{m} white', cellForbidden: '{m} forbidden',
	cellLast: ', last move', said: '{who} {m}',
	tookBack: 'Taken back', varied: 'A new variation: the old line is kept', removed: 'Deleted', started: 'A new game', loaded: '{n} moves loaded', bringBack: 'Undo', copied: 'Copied', copyYourself: 'The text is selected: copy it with Ctrl+C',
	retry: 'Try again', serverGone: 'The server does not answer. Your game is saved in the browser.',
	badFile: 'This file cannot be read', badPos: 'This is not a position', gameOf: '{b} – {w}, {n} moves',
	'e.rate': 'Too many requests in a short time', 'e.games': 'Too many games on this server', 'e.queue': 'Too many games are waiting for an engine',
	'e.timeout': 'The engine did not answer in time', 'e.crash': 'The engine ended unexpectedly', 'e.protocol': 'The engine gave a wrong answer', 'e.broken': 'The engine cannot be used',
	'e.big': 'This is too big', 'e.forbidden': 'A forbidden move of black', 'e.over': 'The game is over', 'e.taken': 'There is already a stone',
	helpText: [
		['Play', 'Click or tap a point to place a stone. The right mouse button takes it back. Swap sides gives your side to the engine at any time. The lists beside Black and White set who plays; engines can play both.'],
		['Level', 'A beginner can beat level 1, and 10 is full strength. Only level 10 uses all its time; the others move at once. Style ranges from defence to attack. A positive score is good for you. Click the curve to go to a move.'],
		['Marks', 'A ring marks the last move, and a cross a forbidden point of black in renju. Threats shows fours in red and open threes in amber, with the points that extend them.'],
		['Keyboard', ''],
	],
	keys: [['← ↑ → ↓', 'move on the board'], ['Enter, Space', 'place a stone'], ['Backspace, U', 'take back'], ['[  ]', 'step through the game'], ['Home, End', 'beginning, end'],
		['H', 'hint'], ['A', 'analyse'], ['F', 'swap sides'], ['M', 'move now'], ['N', 'numbers'], ['T', 'threats'], ['R', 'restart']],
};

const chinese = {
	title: '天元', newGame: '新对局', files: '打开与保存', theme: '浅色或深色', help: '帮助',
	steps: '浏览棋谱', first: '回到开头', prev: '上一手', next: '下一手', last: '到最后',
	black: '黑方', white: '白方', blackPlayer: '谁执黑', whitePlayer: '谁执白', you: '你', person: '棋手',
	score: '评分', takeBack: '悔棋', hint: '提示', analyse: '分析', handOver: '交换', moveNow: '立即落子',
	pause: '暂停', goOn: '继续', resign: '认输', restart: '重来',
	opponent: '对手', level: '等级', style: '风格', time: '用时', levelNow: '{n} / 10',
	style0: '均衡', styleAttack: '进攻 +{n}', styleDefence: '防守 +{n}', seconds: '每手 {n} 秒',
	panels: '面板', tabPlay: '对局', tabMoves: '着法',
	show: '显示', numbers: '手数', threats: '威胁', coordinates: '坐标', sound: '声音',
	youPlay: '你执', two: '双人', watch: '观战', against: '对手', second: '另一引擎',
	opening: '开局', openingNone: '空棋盘', openingSwapMe: 'Swap2，由你摆三子', openingSwapEngine: 'Swap2，由引擎摆三子',
	openingFour: '11 × 11 四子开局', openingSeven: '7 × 7 空棋盘',
	size: '大小', rule: '规则', cancel: '取消', start: '开始', close: '关闭',
	save: '保存', open: '打开', chooseFile: '选择文件（SGF、.lib、.psq、文本）', position: '局面', copy: '复制', load: '载入',
	posHelp: '例如 h8i9j7：字母为列，数字为从下往上的行，黑先。',
	rule0: '无禁手', rule1: '标准', rule4: '连珠', rule8: 'Caro', rule9: 'Caro（恰好五连）', rule5: '连珠（恰好五连）',
	ruleText0: '五连或更长即胜。', ruleText1: '恰好五连才胜。',
	ruleText4: '黑方恰好五连胜，禁三三、四四和长连；白方五连或更长胜。',
	ruleText8: '五连即胜，但两端都被对方堵住的不算。',
	ruleText9: '恰好五连即胜，但两端都被对方堵住的不算。',
	ruleText5: '恰好五连胜；黑方禁三三、四四和长连。',
	plyOf: '{k} / {n}', onMove: '轮到{who}', yourMove: '轮到你', thinking: '思考中', waiting: '排队中，前面 {n} 个',
	depth: '深度 {d}', nodes: '{n} 节点', answered: '{s} 秒', tookMove: '落子 {m}',
	won: '{who}胜', youWin: '你赢了', youLose: '你输了', draw: '和棋', byResign: '{who}认输', noMove: '黑方无子可下', paused: '已暂停',
	lookingBack: '第 {k} 手，共 {n} 手', replaces: '。在此落子将成为新的变化。', toEnd: '回到对局',
	forbidden: '{m} 是黑方禁手', forbiddenWhy: '长连、四四或三三。', taken: '{m} 已有棋子', notYours: '还没轮到你', given: '开局的棋子不能改动',
	isOver: '对局已结束', stop: '。',
	share: '复制链接', badLink: '链接里没有对局',
	confirm: '点两次落子', tapAgain: '再点一次 {m} 落子',
	blackEngine: '黑方引擎', whiteEngine: '白方引擎', atOnce: '立即',
	storageFull: '浏览器空间已满，本局未能保存。请存为文件，或删除其他对局。',
	winsIn: '{who} {n} 手内胜',
	scoreTitle: '正数对{who}有利', noScore: '暂无评分',
	hintIs: '提示：{m}', lineLabel: '第 {n} 条，{s}：{m}', analysing: '正在寻找最佳着法', plotLabel: '全局评分曲线，共 {n} 手',
	swapPlace: 'Swap2：请摆黑、白、黑三子', swapThink: 'Swap2：引擎选择中', swapChoose: 'Swap2：你选哪一方？',
	swapTwo: 'Swap2：请再摆白、黑两子', takeBlack: '执黑', takeWhite: '执白', placeTwo: '再摆两子', swapThree: 'Swap2：引擎摆三子',
	engineSwaps: '引擎执黑', engineStays: '引擎执白', youAre: '你执{who}',
	boardLabel: '{w} × {h} 棋盘。方向键移动，回车落子。', cellEmpty: '{m}', cellBlack: '{m} 黑', cellWhite: '{m} 白', cellForbidden: '{m} 禁手',
	cellLast: '，最后一手', said: '{who} {m}',
	tookBack: '已悔棋', varied: '新的变化，原来的着法保留', removed: '已删除', started: '新的对局', loaded: '已载入 {n} 手', bringBack: '撤销', copied: '已复制', copyYourself: '文字已选中，请按 Ctrl+C 复制',
	retry: '重试', serverGone: '棋盘程序没有响应。你的对局保存在这里。',
	badFile: '无法读取该文件', badPos: '不是有效的局面', gameOf: '{b} – {w}，{n} 手',
	'e.rate': '请求过于频繁', 'e.games': '这里的对局太多', 'e.queue': '排队等待引擎的对局太多',
	'e.timeout': '引擎超时', 'e.crash': '引擎意外退出', 'e.protocol': '引擎给出了错误的回答', 'e.broken': '引擎无法使用',
	'e.big': '内容太大', 'e.forbidden': '黑方禁手', 'e.over': '对局已结束', 'e.taken': '该点已有棋子',
	helpText: [
		['下棋', '点击交叉点落子，右键悔棋。“交换”随时把你这一方交给引擎；黑白旁边的列表决定谁来下，引擎也可以同时下双方。'],
		['等级', '1 级适合初学者，10 级为全力；只有 10 级会用足时间，其余立即应手。风格从防守到进攻。评分为正表示对你有利；点击曲线可跳到那一手。'],
		['标记', '圆环是最后一手，叉号是连珠黑方禁手。“威胁”用红色标出四，用琥珀色标出活三，并标出完成它们的点。'],
		['键盘', ''],
	],
	keys: [['← ↑ → ↓', '移动光标'], ['Enter、空格', '落子'], ['Backspace、U', '悔棋'], ['[  ]', '浏览棋谱'], ['Home、End', '开头、最后'],
		['H', '提示'], ['A', '分析'], ['F', '交换'], ['M', '立即落子'], ['N', '手数'], ['T', '威胁'], ['R', '重来']],
};

// The order is that of study-text.js: English, Chinese, Japanese, Korean, Russian, Vietnamese,
// Estonian.
const table = {
	branches: ['Continuations', '后续着法', '次の手', '다음 수', 'Продолжения', 'Các nước tiếp', 'Jätkud'],
	branch: ['Variation {n}', '变化 {n}', '変化 {n}', '변화 {n}', 'Вариант {n}', 'Biến {n}', 'Variant {n}'],
	movesMore: ['moves: {n}', '共 {n} 手', '{n} 手', '{n}수', 'ходов: {n}', '{n} nước', 'käike: {n}'],
	passed: ['pass', '虚着', 'パス', '패스', 'пас', 'bỏ lượt', 'vahelejätt'],
	promote: ['Move up', '上移', '上へ', '위로', 'Выше', 'Đưa lên', 'Ülespoole'],
	deleteBranch: ['Delete', '删除', '削除', '삭제', 'Удалить', 'Xóa', 'Kustuta'],
	marks: ['Marks', '标记', '印', '표시', 'Метки', 'Dấu', 'Märgid'],
	mark_triangle: ['Triangle', '三角', '三角', '세모', 'Треугольник', 'Tam giác', 'Kolmnurk'],
	mark_square: ['Square', '方块', '四角', '네모', 'Квадрат', 'Hình vuông', 'Ruut'],
	mark_circle: ['Circle', '圆圈', '丸', '동그라미', 'Круг', 'Hình tròn', 'Ring'],
	mark_cross: ['Cross', '叉', 'バツ', '엑스', 'Крест', 'Dấu chéo', 'Rist'],
	mark_label: ['Letter', '字母', '文字', '글자', 'Буква', 'Chữ cái', 'Täht'],
	markClick: ['Choose a point on the board', '请在棋盘上选择一点', '盤上の点を選んでください', '판 위의 점을 고르세요', 'Выберите пункт на доске', 'Chọn một điểm trên bàn', 'Vali punkt laual'],
	markOff: ['A click places a stone again', '点击恢复落子', 'クリックで石を置きます', '클릭하면 돌을 놓습니다', 'Клик снова ставит камень', 'Nhấp lại đặt quân', 'Klõps paneb jälle kivi'],
	library: ['Games', '棋谱库', '棋譜一覧', '대국 목록', 'Партии', 'Các ván cờ', 'Partiid'],
	search: ['Search: names, dates, moves, comments', '搜索：姓名、日期、着法、注释', '検索：名前、日付、手、コメント', '검색: 이름, 날짜, 수, 주석', 'Поиск: имена, даты, ходы, комментарии', 'Tìm: tên, ngày, nước đi, ghi chú', 'Otsi: nimed, kuupäevad, käigud, kommentaarid'],
	gamesFound: ['{n} of {all}', '{n} / {all}', '{n} / {all}', '{n} / {all}', '{n} из {all}', '{n} / {all}', '{n} / {all}'],
	saveAll: ['Save all', '全部保存', 'すべて保存', '모두 저장', 'Сохранить все', 'Lưu tất cả', 'Salvesta kõik'],
	damaged: ['A game that cannot be read', '无法读取的对局', '読めない棋譜', '읽을 수 없는 대국', 'Партия не читается', 'Ván không đọc được', 'Partiid ei saa lugeda'],
	phone: ['On a telephone', '在手机上', 'スマートフォンで', '휴대폰에서', 'На телефоне', 'Trên điện thoại', 'Telefonis'],
	phoneText: ['Scan the code with a telephone in the same network, or open an address.', '用同一网络中的手机扫码，或打开下列地址。', '同じネットワークのスマートフォンで読み取るか、アドレスを開いてください。', '같은 네트워크의 휴대폰으로 스캔하거나 주소를 여세요.', 'Отсканируйте код телефоном в той же сети или откройте адрес.', 'Quét mã bằng điện thoại cùng mạng, hoặc mở một địa chỉ.', 'Skanni kood samas võrgus oleva telefoniga või ava aadress.'],
	phoneNone: ['The board is open to this computer only. Start it with {command} to reach it from a telephone.', '棋盘只对本机开放。用 {command} 启动后可从手机访问。', 'この盤は本機専用です。{command} で起動するとスマートフォンから開けます。', '이 판은 이 컴퓨터에서만 열립니다. {command} 로 시작하면 휴대폰에서 열 수 있습니다.', 'Доска открыта только этому компьютеру. Запустите {command}, чтобы открыть её с телефона.', 'Bàn cờ chỉ mở cho máy này. Chạy {command} để vào từ điện thoại.', 'Laud on avatud ainult sellele arvutile. Telefonist pääsemiseks käivita {command}.'],
	setup: ['Set up', '摆局面', '局面を作る', '국면 만들기', 'Расставить', 'Sắp thế cờ', 'Seis'],
	setupText: ['Lay the stones, then start', '请摆放棋子，然后开始', '石を置いて、開始してください', '돌을 놓고 시작하세요', 'Расставьте камни и начните', 'Đặt quân rồi bắt đầu', 'Sea kivid ja alusta'],
	setupOver: ['The game is over in this position', '此局面已分胜负', 'この局面は勝負がついています', '이미 끝난 국면입니다', 'В этой позиции игра окончена', 'Thế cờ này đã kết thúc', 'Selles seisus on mäng läbi'],
	setupSide: ['Who moves', '轮到谁', '手番', '둘 차례', 'Чей ход', 'Lượt đi', 'Kelle käik'],
	blackMoves: ['Black moves', '黑先', '黒番', '흑 차례', 'Ход чёрных', 'Đen đi', 'Musta käik'],
	whiteMoves: ['White moves', '白先', '白番', '백 차례', 'Ход белых', 'Trắng đi', 'Valge käik'],
	erase: ['Take away', '拿掉', '取り除く', '지우기', 'Убрать', 'Bỏ quân', 'Eemalda'],
	handicap: ['Handicap', '让子', '置き碁', '접바둑', 'Фора', 'Chấp', 'Ettekivid'],
	rotate: ['Rotate the board', '旋转棋盘', '盤を回す', '판 돌리기', 'Повернуть доску', 'Xoay bàn cờ', 'Pööra lauda'],
	mirror: ['Mirror the board', '镜像棋盘', '盤を反転', '판 뒤집기', 'Отразить доску', 'Lật bàn cờ', 'Peegelda lauda'],
	comment: ['Comment', '注释', 'コメント', '주석', 'Комментарий', 'Ghi chú', 'Kommentaar'],
};

const languages = { en: english, zh: chinese };

let words = english, language = 'en';

// setLanguage chooses the language of t and updates the page: data-t is a text, data-label
// an accessible name.
export function setLanguage(name) {
	words = languages[name] || english;
	language = name;
	document.documentElement.lang = name === 'zh' ? 'zh-CN' : 'en';
	document.title = words.title;
	for (const e of document.querySelectorAll('[data-t]')) e.textContent = t(e.dataset.t);
	for (const e of document.querySelectorAll('[data-hint]')) e.placeholder = t(e.dataset.hint);
	for (const e of document.querySelectorAll('[data-label]')) {
		e.setAttribute('aria-label', t(e.dataset.label));
		if (e.tagName === 'BUTTON') e.title = t(e.dataset.label);
	}
}

// t returns the text of a key, with {name} replaced by values.
export function t(key, values = {}) {
	const text = words[key] ?? table[key]?.[Math.max(order.indexOf(language), 0)] ?? study(key, language) ?? english[key] ?? key;
	return typeof text === 'string' ? text.replace(/\{(\w+)\}/g, (_, name) => values[name]) : text;
}
