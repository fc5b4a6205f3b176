package record

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// maxArchive is how many bytes of an archive are unpacked.
const maxArchive = 4 * maxText

// readZip reads the games of all files of a zip archive, such as that of a year of Gomocup, in their
// order there. Files that are no games, such as tables of results, are a remark of the first game.
func readZip(raw []byte, o Reading) ([]*Tree, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	var trees []*Tree
	broken := BrokenGames{}
	var others []string
	left, items := maxArchive, 0
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		name := path.Base(f.Name)
		content, err := unzipped(f, &left)
		if errors.Is(err, errArchive) {
			return nil, err
		}
		var list []*Tree
		var bad BrokenGames
		if err == nil {
			if formatOfBytes(content) == Zip {
				err = errors.New("an archive within an archive is not read")
			} else if list, err = read(content, o); err != nil && !errors.As(err, &bad) && Detect(content) == UnknownFormat {
				others = append(others, name)
				continue
			}
		}
		if err != nil && bad == nil {
			list, bad = []*Tree{nil}, BrokenGames{0: err}
		}
		for i, t := range list {
			if bad[i] != nil {
				broken[len(trees)] = fmt.Errorf("%s: %w", name, bad[i])
			} else if items += t.lineLength() + treeItems; items > maxItems {
				return nil, errItems
			}
			trees = append(trees, t)
		}
	}
	for _, t := range trees {
		if t != nil && len(others) > 0 {
			t.Remarks = append([]string{fmt.Sprintf("files of the archive that are no games: %.80q", strings.Join(others, ", "))}, t.Remarks...)
			break
		}
	}
	return trees, broken.orNil()
}

var errArchive = fmt.Errorf("the archive has more than %d MiB", maxArchive>>20)

// unzipped returns what is in a file of an archive, and takes its size off left.
func unzipped(f *zip.File, left *int) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	content, err := io.ReadAll(io.LimitReader(in, int64(min(maxText, *left))+1))
	if *left -= len(content); *left < 0 {
		return content, errArchive
	}
	if err == nil && len(content) > maxText {
		err = tooLarge(maxText)
	}
	return content, err
}
