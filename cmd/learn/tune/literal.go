package tune

import (
	"fmt"
	"go/format"
	"reflect"
	"strings"

	"tengen/brain/search"
)

// literal writes p as Go source, to be pasted over defaultParams in brain/search/params.go.
func literal(p search.Params) (string, error) {
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
