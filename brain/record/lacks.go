package record

import "slices"

// Lacks returns what of a tree a format does not hold, in a word or two each: "variations", "names".
func (f Format) Lacks(t *Tree) []string {
	held := f.find().holds
	if slices.Equal(held, everything) {
		return nil
	}
	has := map[string]bool{}
	all := []*Node{t.Root}
	for i := 0; i < len(all); i++ {
		n := all[i]
		all = append(all, n.Children...)
		has["variations"] = has["variations"] || len(n.Children) > 1
		if _, timed := parseTimeComment(n.Comment); n.Comment != "" && (f != PSQ || !timed && n.Comment != openingComment) {
			has["comments"] = true
		}
		for _, m := range n.Marks {
			if m.Kind == Label && m.Text != "" {
				has["labels"] = true
			} else {
				has["marks"] = true
			}
		}
		has["names of positions"] = has["names of positions"] || n.Name != ""
		has["marks of positions"] = has["marks of positions"] || n.Hot || n.Start
		has["other properties"] = has["other properties"] || len(n.Properties) > 0
		has["stones set up"] = has["stones set up"] || len(n.Setup) > 0
	}
	has["the size"] = t.Width != textSize || t.Height != textSize
	has["names"] = t.Black+t.White != ""
	has["the rule"] = t.RuleKnown
	has["the result"] = t.Result+t.Reason != ""
	has["event and date"] = t.Event+t.Round+t.Date != ""
	var lost []string
	for _, what := range []string{"variations", "comments", "labels", "marks", "names of positions", "marks of positions", "other properties", "stones set up", "the size", "names", "the rule", "the result", "event and date"} {
		if has[what] && !slices.Contains(held, what) {
			lost = append(lost, what)
		}
	}
	return lost
}
