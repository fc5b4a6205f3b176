package flags

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tengen/brain/atomicfile"
)

// maxFile is what ReadFile reads, many times the size of a network.
const maxFile = 64 << 20 // bytes

// ReadFile returns the content of a small file. A file that is much too large, or a device
// without end, is an error before it fills the memory.
func ReadFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(raw) > maxFile {
		err = fmt.Errorf("%s: the file is larger than %d MiB", name, maxFile>>20)
	}
	return raw, err
}

// CheckFiles returns a usage error if a command would overwrite a file that it reads,
// write or read a file twice, write to a directory that does not exist, or write a file where
// a directory is, so that such errors show before an hour of work. It does not check that the
// files to read exist.
func CheckFiles(read, written []string) error {
	var infos []os.FileInfo
	for _, name := range read {
		info, err := os.Stat(name)
		if err != nil {
			continue // opening it gives a better error
		}
		if slices.ContainsFunc(infos, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			return Usage("%s is given twice: its games would count twice", name)
		}
		infos = append(infos, info)
	}
	for i, name := range written {
		if slices.ContainsFunc(written[:i], func(other string) bool { return filepath.Clean(other) == filepath.Clean(name) }) {
			return Usage("%s would be written twice", name)
		}
		if dir, err := os.Stat(filepath.Dir(name)); err != nil || !dir.IsDir() {
			return Usage("directory %s does not exist", filepath.Dir(name))
		}
		to, err := os.Stat(name)
		if err != nil {
			continue
		}
		if to.IsDir() {
			return Usage("%s is a directory", name)
		}
		for _, file := range read {
			if from, err := os.Stat(file); err == nil && os.SameFile(from, to) {
				return Usage("writing %s would overwrite %s, which is read", name, file)
			}
		}
	}
	return nil
}

// CheckReplaced returns a usage error if there is a file of this name that is not empty and does not
// begin as what is to replace it does. It may be one of those to read, where the name to write was
// forgotten.
func CheckReplaced(name, begin string) error {
	ok, err := atomicfile.Replaceable(name, func(head []byte) bool { return strings.HasPrefix(string(head), begin) })
	switch {
	case err != nil:
		return Usage("%v", err)
	case !ok:
		return Usage("%s exists and is something else, perhaps a file to read; remove it first", name)
	}
	return nil
}
