package flags

import (
	"os"
	"path/filepath"
	"slices"
)

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
