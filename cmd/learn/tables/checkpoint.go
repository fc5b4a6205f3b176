package tables

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
)

// A checkpoint is all that is needed to go on with a run as if it had never stopped.
type checkpoint struct {
	Run    string // what is trained on what and how; only the same run may go on
	Heat   float64
	Values *state
	Order  *state // nil until the values are done
}

const checkpointMagic = "TENGENTC"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// save writes c to the file name, which holds the old checkpoint or the new one at any
// moment.
func (c *checkpoint) save(name string) error {
	var body bytes.Buffer
	body.WriteString(checkpointMagic)
	if err := gob.NewEncoder(&body).Encode(c); err != nil {
		return err
	}
	raw := binary.LittleEndian.AppendUint32(body.Bytes(), crc32.Checksum(body.Bytes(), castagnoli))
	return replaceFile(name, raw)
}

// loadCheckpoint reads the file name. A file that is damaged, or of another run, is an
// error; no file is nil.
func loadCheckpoint(name, run string) (*checkpoint, error) {
	raw, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	body, ok := bytes.CutPrefix(raw, []byte(checkpointMagic))
	if !ok || len(body) < 4 {
		return nil, fmt.Errorf("%s is not a checkpoint", name)
	}
	end := len(raw) - 4
	if crc32.Checksum(raw[:end], castagnoli) != binary.LittleEndian.Uint32(raw[end:]) {
		return nil, fmt.Errorf("%s is damaged: the checksum does not fit; remove it to begin anew", name)
	}
	c := new(checkpoint)
	if err := gob.NewDecoder(bytes.NewReader(body[:len(body)-4])).Decode(c); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if c.Run != run {
		return nil, fmt.Errorf("%s is of another run (%s); remove it to begin anew", name, c.Run)
	}
	return c, nil
}

// replaceFile puts raw into the file name in one step. What a kill leaves behind, under
// the same name with .new, the next call replaces.
func replaceFile(name string, raw []byte) error {
	f, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails when all went well
	_, err = f.Write(raw)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
