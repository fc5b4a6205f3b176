//go:build bare

package eval

import "io/fs"

// readNetwork reads a file of folder networks. A program with the build tag bare holds none: see
// ReadNetworksBy.
var readNetwork = func(file string) ([]byte, error) { return nil, fs.ErrNotExist }

// ReadNetworksBy sets the function that reads a file of folder networks, by its name, when the
// network is first needed. Without it, and after an error, the tables are used, or for large boards the
// network for small ones. It is called once, before anything is evaluated.
func ReadNetworksBy(read func(file string) ([]byte, error)) { readNetwork = read }
