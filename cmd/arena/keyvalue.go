package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tengen/cmd/internal/flags"
)

// A setting is one key=value of a flag, or one field of a JSON object.
type setting struct {
	key, value string
}

// parseSettings splits "key=value,key=value" at commas outside quotes. It removes quotes
// around a whole value, except in cmd, which is split into words later.
func parseSettings(s string) ([]setting, error) {
	var all []setting
	for _, part := range splitUnquoted(s, ',') {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not key=value (a comma in a value needs quotes)", part)
		}
		value = strings.TrimSpace(value)
		if n := len(value); key != "cmd" && n >= 2 && (value[0] == '"' || value[0] == '\'') &&
			strings.IndexByte(value[1:], value[0]) == n-2 {
			value = value[1 : n-1]
		}
		all = append(all, setting{key: key, value: value})
	}
	return all, nil
}

func splitUnquoted(s string, sep byte) []string {
	var parts []string
	start, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == sep:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

func positive(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a positive whole number", s)
	}
	return n, nil
}

// limitOf is a number that is not negative: 0 is no limit.
func limitOf(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a whole number from 0 on, where 0 is no limit", s)
	}
	return n, nil
}

// onOff reads on or true, off or false.
func onOff(s string) (bool, error) {
	on := s == "on" || s == "true"
	if !on && s != "off" && s != "false" {
		return false, fmt.Errorf("%q is not on or off", s)
	}
	return on, nil
}

// byteCount reads a number of bytes with an optional K, M or G for powers of 1024.
func byteCount(s string) (int64, error) {
	digits, shift := s, 0
	if s != "" {
		if i := strings.IndexByte("kmg", s[len(s)-1]|0x20); i >= 0 {
			digits, shift = s[:len(s)-1], 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return 0, fmt.Errorf("%q is not a number of bytes (350M, 1G)", s)
	}
	return n << shift, nil
}

// engineFile reads engines in JSON: {"each":{...},"engines":[{...},...]}. Values are
// strings, numbers or booleans; info is an object.
func engineFile(path string) (each []setting, engines [][]setting, err error) {
	raw, err := flags.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var file struct {
		Each    map[string]any
		Engines []map[string]any
	}
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	if err := dec.Decode(&file); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, nil, fmt.Errorf("%s: text after the object", path)
	}
	for _, object := range file.Engines {
		list, err := jsonSettings("", object)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		engines = append(engines, list)
	}
	if each, err = jsonSettings("", file.Each); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return each, engines, nil
}

// jsonSettings lists the fields of an object, those of objects in it as "info.KEY".
func jsonSettings(prefix string, object map[string]any) ([]setting, error) {
	var list []setting
	for _, key := range slices.Sorted(maps.Keys(object)) {
		switch value := object[key].(type) {
		case map[string]any:
			inner, err := jsonSettings(prefix+key+".", value)
			if err != nil {
				return nil, err
			}
			list = append(list, inner...)
		case string, json.Number, bool:
			list = append(list, setting{prefix + key, fmt.Sprint(value)})
		default:
			return nil, fmt.Errorf("%s%s: want text, a number, true or false", prefix, key)
		}
	}
	return list, nil
}
