package resume

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Differences lists the fields in which two structs of the same type differ, the settings in
// a file and those of the command line, or returns "". It names fields in lower case, such as
// "engine 2 nodes", and no more than three. Fields in except may differ.
func Differences(file, command any, except ...string) string {
	old, now := map[string]string{}, map[string]string{}
	flatten(old, "", reflect.ValueOf(file))
	flatten(now, "", reflect.ValueOf(command))
	for _, key := range except {
		delete(old, key)
		delete(now, key)
	}
	return different(old, now)
}

// DifferentSettings is Differences for settings in words such as "nodes=200", "Batch:64" or
// "quiet". Words without a value are compared in their order.
func DifferentSettings(file, command string) string { return different(words(file), words(command)) }

// words returns the settings in text by name.
func words(text string) map[string]string {
	all := map[string]string{}
	bare := 0
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,{}\n", r) }) {
		word = strings.ReplaceAll(word, `"`, "")
		if at := strings.IndexAny(word, "=:"); at > 0 {
			all[strings.ToLower(word[:at])] = word[at+1:]
		} else {
			bare++
			all[fmt.Sprintf("word %d", bare)] = word
		}
	}
	return all
}

// different lists the keys whose values differ.
func different(old, now map[string]string) string {
	keys := maps.Clone(old)
	maps.Copy(keys, now)
	var list []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if old[key] != now[key] {
			list = append(list, fmt.Sprintf("%s was %s and is now %s", key, orNone(old[key]), orNone(now[key])))
		}
	}
	if n := len(list); n > 3 {
		list = append(list[:3], fmt.Sprintf("and %d more", n-3))
	}
	return strings.Join(list, ", ")
}

func orNone(s string) string {
	if s == "" {
		return "not given"
	}
	return s
}

// flatten adds the exported fields of v by name, without those that JSON omits, and as JSON
// writes them: UTF-8.
func flatten(flat map[string]string, key string, v reflect.Value) {
	switch {
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			flatten(flat, key, v.Elem())
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case v.Field(i).IsZero() && strings.Contains(f.Tag.Get("json"), ",omitempty"):
			case f.Anonymous:
				flatten(flat, key, v.Field(i))
			case f.IsExported():
				flatten(flat, strings.TrimSpace(key+" "+strings.ToLower(f.Name)), v.Field(i))
			}
		}
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		for i := range v.Len() {
			flatten(flat, fmt.Sprintf("%s %d", strings.TrimSuffix(key, "s"), i+1), v.Index(i))
		}
	default:
		flat[key] = string([]rune(fmt.Sprint(v.Interface())))
	}
}
