package main

import (
	"errors"
	"syscall/js"
)

// await waits for a promise of JavaScript and returns its value. Other goroutines go on.
func await(promise js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	done := make(chan result, 1)
	resolved := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- result{value: args[0]}
		return nil
	})
	rejected := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- result{err: errors.New(js.Global().Get("String").Invoke(args[0]).String())}
		return nil
	})
	defer resolved.Release()
	defer rejected.Release()
	promise.Call("then", resolved, rejected)
	r := <-done
	return r.value, r.err
}

// load loads a file beside the page: see load of worker.js.
func load(file string) ([]byte, error) {
	data, err := await(js.Global().Call("loadBytes", file))
	if err != nil {
		return nil, err
	}
	return bytesOf(data), nil
}

// bytesOf returns the bytes of a Uint8Array.
func bytesOf(data js.Value) []byte {
	raw := make([]byte, data.Length())
	js.CopyBytesToGo(raw, data)
	return raw
}

// newBytes returns a Uint8Array of these bytes.
func newBytes(raw []byte) js.Value {
	data := js.Global().Get("Uint8Array").New(len(raw))
	js.CopyBytesToJS(data, raw)
	return data
}
