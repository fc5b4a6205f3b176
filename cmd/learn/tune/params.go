package tune

import (
	"fmt"
	"go/format"
	"reflect"
	"strings"

	"tengen/brain/search"
)

// choose finds numbers of p by their names, separated by commas; all for "".
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
			return nil, fmt.Errorf("%s is named twice", name)
		}
		used[name] = true
		for _, q := range all {
			if strings.EqualFold(q.Name, name) {
				list = append(list, q)
				continue next
			}
		}
		return nil, fmt.Errorf("no number is called %q; there are %s", name, strings.Join(known, ", "))
	}
	return list, nil
}

// apply returns base with the named numbers set to values.
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

// goSource writes p as Go source, to be pasted over defaultParams in
// brain/search/params.go.
func goSource(p search.Params) (string, error) {
	var b strings.Builder
	b.WriteString("var defaultParams = Params{\n")
	v := reflect.ValueOf(p)
	for i := range v.NumField() {
		value := strings.ReplaceAll(fmt.Sprintf("%#v", v.Field(i)), "search.", "")
		fmt.Fprintf(&b, "\t%s: %s,\n", v.Type().Field(i).Name, value)
	}
	b.WriteString("}\n")
	text, err := format.Source([]byte(b.String()))
	return string(text), err
}
