//go:build bare

package main

import (
	"fmt"
	"syscall/js"

	"tengen/brain/eval"
)

// The networks lie beside the page, each in a file that is loaded when its rule is first played.
// What cannot be loaded is tried again for the next game; until then the tables are used.
func init() {
	eval.ReadNetworksBy(func(file string) ([]byte, error) {
		data, err := load(file)
		if err != nil {
			js.Global().Get("console").Call("warn", fmt.Sprintf("%v; the engine plays by tables", err))
		}
		return data, err
	})
}
