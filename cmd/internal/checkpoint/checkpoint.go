// Package checkpoint saves the state of a long run, from which a killed run continues.
package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"os"

	"tengen/brain/atomicfile"
	"tengen/cmd/internal/resume"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// magic begins a checkpoint. After it come the run and the state in gob encoding,
// then a CRC-32C of all before it.
const magic = "TENGENTC"

// Save writes state, a pointer to a value that gob can encode, to the file. run describes
// the run that the state belongs to; only the same run can load it.
func Save(name, run string, state any) error {
	body := bytes.NewBufferString(magic)
	enc := gob.NewEncoder(body)
	if err := errors.Join(enc.Encode(run), enc.Encode(state)); err != nil {
		return err
	}
	return atomicfile.Write(name, binary.LittleEndian.AppendUint32(body.Bytes(), crc32.Checksum(body.Bytes(), castagnoli)))
}

// Remove removes the file of a finished run, and the file that a kill may have left beside it.
func Remove(name string) error {
	os.Remove(name + atomicfile.Suffix) // exists if the run was killed while it saved
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Load reads the file into state and reports whether there was one. It is an error
// if the file is damaged or of another run.
func Load(name, run string, state any) (found bool, err error) {
	raw, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	end := len(raw) - 4
	body, ok := bytes.CutPrefix(raw[:max(end, 0)], []byte(magic))
	if !ok {
		return false, fmt.Errorf("%s is not a checkpoint", name)
	}
	if crc32.Checksum(raw[:end], castagnoli) != binary.LittleEndian.Uint32(raw[end:]) {
		return false, fmt.Errorf("%s is damaged (wrong checksum); remove it to start over", name)
	}
	var was string
	dec := gob.NewDecoder(bytes.NewReader(body))
	if err := dec.Decode(&was); err != nil {
		return false, fmt.Errorf("%s: %w; remove it to start over", name, err)
	}
	if was != run {
		return false, fmt.Errorf("%s belongs to another run (%s); remove it to start over", name, resume.DifferentSettings(was, run))
	}
	if err := dec.Decode(state); err != nil {
		return false, fmt.Errorf("%s: %w; remove it to start over", name, err)
	}
	return true, nil
}
