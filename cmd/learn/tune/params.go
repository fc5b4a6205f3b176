package tune

import (
	"fmt"
	"strings"

	"tengen/brain/search"
)

// choose returns the parameters of p with the given names, separated by commas; all for "".
func choose(p *search.Params, names string) ([]parameter, error) {
	var all, list []parameter
	var known []string
	for _, t := range p.Tunables() {
		all = append(all, parameter{t.Name, *t.Value, t.Min, t.Max, t.Step})
		known = append(known, t.Name)
	}
	if names == "" {
		return all, nil
	}
	used := map[string]bool{}
next:
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		if used[name] {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		used[name] = true
		for _, q := range all {
			if strings.EqualFold(q.Name, name) {
				list = append(list, q)
				continue next
			}
		}
		return nil, fmt.Errorf("unknown parameter %q; known are %s", name, strings.Join(known, ", "))
	}
	return list, nil
}

// apply returns base with the parameters set to values.
func apply(base search.Params, params []parameter, values []int) search.Params {
	for _, t := range base.Tunables() {
		for i := range params {
			if params[i].Name == t.Name {
				*t.Value = values[i]
			}
		}
	}
	return base
}
