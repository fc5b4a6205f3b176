package record

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tengen/brain/board"
)

// ruleWords are the words by which files tell the rule, as foldRule leaves them, in the order in which
// they count: what denies fouls contains the word for them.
var ruleWords = []struct {
	rule  board.Rule
	words []string
}{
	{board.Freestyle, []string{"无禁", "無禁", "禁手なし", "禁じ手なし", "금수없", "noforbidden", "withoutforbidden", "nofoul", "noforbid", "безфол", "carotudo", "nonrenju", "norenju", "notrenju", "禁手无", "禁手無", "禁じ手無", "foulnone", "foulsnone", "foulno", "foulsno", "fouloff", "foulsoff", "forbiddennone", "forbiddenoff", "forbiddenmovesnone", "forbiddenmovesno", "forbiddenmovesoff"}},
	{board.Renju, []string{
		"renju", "renžu", "rendzu", "禁手", "有禁", "禁じ手", "连珠", "連珠", "聯珠", "联珠", "렌주", "금수", "рэндзю", "рендзю", "рендзу",
		// Openings of renju alone.
		"taraguchi", "taraguti", "soosyrv", "soosorv", "soosrv", "yamaguchi", "yamaguti", "sakata", "tarannikov", "yamasyrv", "linhuan", "jonsson",
		"タラグチ", "ソーソロフ", "ソオソロフ", "山口", "題数", "题数", "坂田", "塔拉", "索索夫", "索索洛夫", "桑索夫", "тарагучи", "соосырв", "соосырв", "ямагучи", "саката", "таранников", "타라구치", "야마구치", "소소로프",
	}},
	{board.Caro | board.ExactFive, []string{"exactcaro", "caro+exact", "exact+caro"}},
	{board.Caro, []string{"caro"}},
	{board.ExactFive, []string{"standard", "exact", "标准", "標準", "スタンダード", "표준"}},
	{board.Freestyle, []string{
		"free", "gomoku", "fiveinarow", "5inarow", "fivestones", "gobang", "wuziqi", "自由", "五子棋", "五目", "오목", "자유", "гомоку", "свободн",
		"piskvor", "piskv", "volna", "luffarschack", "amoba", "kolkoikrzyzyk", "tudo",
	}},
}

// Words that say the rule only if they stand alone, and those of openings that leave it open.
var (
	loneWords    = map[string]board.Rule{"rif": board.Renju, "classic": board.Renju, "foul": board.Renju, "fouls": board.Renju}
	openingWords = []string{"swap", "swap1", "swap2", "swap3", "swap5", "pro", "longpro"}
)

// plainLetters are the letters that foldRule puts for others.
var plainLetters = strings.NewReplacer("õ", "o", "ö", "o", "ó", "o", "ô", "o", "ő", "o", "ò", "o", "ơ", "o", "ä", "a", "á", "a", "ã", "a", "à", "a", "â", "a", "é", "e", "è", "e", "ě", "e", "ê", "e", "í", "i", "ú", "u", "ů", "u", "ü", "u", "ű", "u", "ự", "u", "ư", "u", "ž", "z", "ż", "z", "ź", "z", "š", "s", "ř", "r", "č", "c", "ł", "l", "ń", "n", "ň", "n", "ē", "e", "ū", "u", "ñ", "n", "đ", "d")

// foldRule returns a text in lower case without what writers disagree about: blanks, hyphens, accents.
func foldRule(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '+' {
			return r
		}
		return -1
	}, plainLetters.Replace(strings.ToLower(folded(s))))
}

// ruleOf reads the rule of a game: the number of the protocol or a word.
func ruleOf(s string) (board.Rule, bool) {
	word := strings.ToLower(strings.TrimSpace(s))
	if n, err := strconv.Atoi(word); err == nil {
		if r := board.Rule(n & 15); int(r) == n && r.Valid() {
			return r, true
		}
		return board.Freestyle, false
	}
	for r := board.Freestyle; r < 16; r++ {
		if r.Valid() && word == r.String() {
			return r, true
		}
	}
	return ruleInText(s, board.Freestyle, board.Renju, board.Caro, board.Caro|board.ExactFive, board.ExactFive)
}

// ruleInText looks for words of some rules in a text.
func ruleInText(s string, rules ...board.Rule) (board.Rule, bool) {
	plain := foldRule(s)
	if plain == "" {
		return board.Freestyle, false
	}
	for _, w := range ruleWords {
		if slices.ContainsFunc(w.words, func(word string) bool { return strings.Contains(plain, word) }) {
			return w.rule, slices.Contains(rules, w.rule)
		}
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if rule, ok := loneWords[word]; ok {
			return rule, slices.Contains(rules, rule)
		}
	}
	return board.Freestyle, false
}

// isOpeningRule reports whether a text names a rule of the opening that several rules have.
func isOpeningRule(s string) bool { return slices.Contains(openingWords, foldRule(s)) }

// leagues are how the names of Gomocup's leagues begin, as foldRule leaves them.
var leagues = []struct {
	begin string
	rule  board.Rule
}{
	{"renju", board.Renju}, {"standard", board.ExactFive}, {"caro", board.Caro}, {"freestyle", board.Freestyle}, {"fastgame", board.Freestyle},
}

// ruleOfLeague returns the rule of a league of Gomocup, such as Renju_1.
func ruleOfLeague(name string) (board.Rule, bool) {
	name = foldRule(name)
	for _, l := range leagues {
		if strings.HasPrefix(name, l.begin) {
			return l.rule, true
		}
	}
	return board.Freestyle, false
}
