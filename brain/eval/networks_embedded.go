//go:build !bare

package eval

import "embed"

//go:embed networks
var networkFiles embed.FS

// readNetwork reads a file of folder networks.
var readNetwork = func(file string) ([]byte, error) { return networkFiles.ReadFile("networks/" + file) }
