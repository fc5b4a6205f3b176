//go:build !bare

package eval

import "embed"

//go:embed networks
var networkFiles embed.FS

func readNetwork(file string) ([]byte, error) { return networkFiles.ReadFile("networks/" + file) }
