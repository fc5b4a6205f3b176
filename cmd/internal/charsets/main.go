// Command charsets writes the tables of brain/record/charset, in the folder tables of the working
// directory, from the mappings of the WHATWG Encoding Standard: the files index-NAME.txt of
// https://encoding.spec.whatwg.org, in the folder that it is given.
package main

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// groups are the files to write, each with the indexes that it holds one after another.
var groups = map[string][]string{
	"jis0208": {"jis0208"},
	"gb18030": {"gb18030", "gb18030-ranges"},
	"big5":    {"big5"},
	"euc-kr":  {"euc-kr"},
	"single": {
		"windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1257", "windows-1258",
		"iso-8859-2", "iso-8859-5", "iso-8859-7", "iso-8859-15", "koi8-r", "koi8-u", "ibm866",
	},
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: charsets FOLDER")
	}
	for group, names := range groups {
		var plain []byte
		for _, name := range names {
			pointers, points, err := read(filepath.Join(os.Args[1], "index-"+name+".txt"))
			if err != nil {
				log.Fatal(err)
			}
			if strings.HasSuffix(name, "-ranges") { // where ranges begin: pointers, each with one more, and points
				plain = append(append(plain, pack(pointers)...), pack(points)...)
				continue
			}
			all := make([]int, slices.Max(pointers))
			for i, p := range pointers {
				all[p-1] = points[i]
			}
			plain = append(plain, pack(all)...)
		}
		var b bytes.Buffer
		w, err := flate.NewWriter(&b, flate.BestCompression)
		if err != nil {
			log.Fatal(err)
		}
		w.Write(plain)
		if err := w.Close(); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("tables", group+".z"), b.Bytes(), 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// read returns the pointers of an index, each with one more, and their code points.
func read(name string) (pointers, points []int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		fields := strings.Fields(in.Text())
		if len(fields) < 2 || fields[0][0] == '#' {
			continue
		}
		pointer, err := strconv.Atoi(fields[0])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		point, err := strconv.ParseInt(fields[1], 0, 32)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		pointers, points = append(pointers, pointer+1), append(points, int(point))
	}
	return pointers, points, in.Err()
}

// pack is the inverse of unpack in brain/record/charset: a number of code points, then each as its
// distance from the one before.
func pack(points []int) []byte {
	b := binary.AppendUvarint(nil, uint64(len(points)))
	before := 0
	for _, p := range points {
		b = binary.AppendVarint(b, int64(p-before))
		before = p
	}
	return b
}
