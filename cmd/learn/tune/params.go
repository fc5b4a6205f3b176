package tune

import (
	"fmt"
	"slices"
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
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		switch at := slices.IndexFunc(all, func(p parameter) bool { return strings.EqualFold(p.Name, name) }); {
		case at < 0:
			return nil, fmt.Errorf("unknown parameter %q; known are %s", name, strings.Join(known, ", "))
		case slices.Contains(list, all[at]):
			return nil, fmt.Errorf("%s is given twice", name)
		default:
			list = append(list, all[at])
		}
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
