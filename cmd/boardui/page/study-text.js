// The texts of analysis and study in every language.

const order = ['en', 'zh', 'ja', 'ko', 'ru', 'vi', 'et'];

const table = {
	tabAnalysis: ['Analysis', '分析', '解析', '분석', 'Анализ', 'Phân tích', 'Analüüs'],
	lineCount: ['Lines', '变化数', '候補数', '후보 수', 'Линии', 'Số biến', 'Variante'],
	threadCount: ['Threads', '线程', 'スレッド', '스레드', 'Потоки', 'Luồng', 'Lõimi'],
	startAnalysis: ['Start', '开始', '開始', '시작', 'Начать', 'Bắt đầu', 'Alusta'],
	stopAnalysis: ['Stop', '停止', '停止', '정지', 'Остановить', 'Dừng', 'Peata'],
	why: ['Why not here?', '为何不下这里？', 'なぜここでない？', '여기는 왜 아닌가?', 'Почему не сюда?', 'Sao không đi đây?', 'Miks mitte siia?'],
	whyClick: ['Choose a point: only that move is searched.', '请选择一点：只分析这一手。', '点を選ぶと、その手だけを調べます。', '점을 고르면 그 수만 분석합니다.', 'Выберите пункт: анализ только этого хода.', 'Chọn một điểm: chỉ phân tích nước đó.', 'Vali punkt: uuritakse ainult seda käiku.'],
	onlyNow: ['Only {m} is searched', '只分析 {m}', '{m} だけを解析中', '{m}만 분석 중', 'Анализ только {m}', 'Chỉ phân tích {m}', 'Uuritakse ainult {m}'],
	bestIs: ['The best move is {m}, {s}', '最佳着法是 {m}，{s}', '最善は {m}、{s}', '최선은 {m}, {s}', 'Лучший ход {m}, {s}', 'Nước tốt nhất là {m}, {s}', 'Parim käik on {m}, {s}'],
	waitsForMoves: ['waiting for threads', '等待线程', 'スレッド待ち', '스레드 대기 중', 'ожидание потоков', 'đang đợi luồng', 'ootab lõimi'],
	depthWord: ['Depth', '深度', '深さ', '깊이', 'Глубина', 'Độ sâu', 'Sügavus'],
	nodesWord: ['Nodes', '节点', '局面数', '노드', 'Узлы', 'Nút', 'Sõlmi'],
	speedWord: ['Speed', '速度', '速度', '속도', 'Скорость', 'Tốc độ', 'Kiirus'],
	solve: ['Forced win', '必胜', '勝ちを探す', '강제승 찾기', 'Форсированный выигрыш', 'Thắng cưỡng bức', 'Sundvõit'],
	threatened: ['What threatens?', '有何威胁？', '相手の狙い', '상대의 위협', 'Что грозит?', 'Bị đe dọa gì?', 'Mis ähvardab?'],
	solving: ['Looking for a win by force', '正在寻找必胜', '追い勝ちを探索中', '강제승을 찾는 중', 'Поиск выигрыша', 'Đang tìm nước thắng', 'Otsin sundvõitu'],
	winsIn: ['{who} wins in {n}', '{who} {n} 手内胜', '{who}が{n}手で勝ち', '{who} {n}수 내 승리', '{who}: победа в {n}', '{who} thắng sau {n} nước', '{who} võidab {n} käiguga'],
	threatens: ['{who} threatens to win in {n}', '{who}威胁 {n} 手内取胜', '{who}は{n}手で勝つ狙い', '{who}: {n}수 내 승리 위협', '{who} грозит выиграть в {n}', '{who} dọa thắng sau {n} nước', '{who} ähvardab võita {n} käiguga'],
	holds: ['These moves hold: {m}', '可防守：{m}', '受けられる手：{m}', '막는 수: {m}', 'Защищают: {m}', 'Nước đỡ được: {m}', 'Peavad vastu: {m}'],
	noHold: ['No move holds', '无法防守', '受けはありません', '막는 수가 없습니다', 'Защиты нет', 'Không đỡ được', 'Ükski käik ei pea vastu'],
	noWin: ['No win by force of {who} was found', '未找到{who}的必胜', '{who}の追い勝ちは見つかりません', '{who}의 강제승을 찾지 못했습니다', 'Форсированного выигрыша нет: {who}', 'Không tìm thấy nước thắng của {who}', '{who}: sundvõitu ei leitud'],
	noThreat: ['{who} threatens nothing by force', '{who}没有必胜威胁', '{who}の狙いはありません', '{who}의 위협이 없습니다', '{who}: прямых угроз нет', '{who} không đe dọa gì', '{who} ei ähvarda midagi'],
	anyOther: ['any other', '其他', '他の手', '다른 수', 'любой другой', 'nước khác', 'muu käik'],
};

// study returns the text of a key in a language, undefined if the key is not here.
export const study = (key, language) => table[key]?.[Math.max(order.indexOf(language), 0)];
