//go:build bare

package main

import "tengen/brain/eval"

// The networks lie beside the page, each in a file that is loaded when its rule is first played.
func init() { eval.ReadNetworksBy(load) }
