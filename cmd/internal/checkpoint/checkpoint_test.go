package checkpoint

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestAStateGoesOnWithItsRunOnly(t *testing.T) {
	type state struct {
		X []float64
		P *state
	}
	name := filepath.Join(t.TempDir(), "c")
	var got state
	if found, err := Load(name, "a", &got); found || err != nil {
		t.Errorf("no file: %v, %v", found, err)
	}
	want := state{X: []float64{1, 0.1}, P: &state{X: []float64{2}}}
	if err := Save(name, "a", &want); err != nil {
		t.Fatal(err)
	}
	if found, err := Load(name, "a", &got); !found || err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v: %+v, want %+v", found, err, got, want)
	}
	if _, err := Load(name, "b", &got); err == nil || !strings.Contains(err.Error(), "another run (word 1 was a and is now b)") {
		t.Errorf("another run: %v", err)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw { // every byte counts
		raw[i] ^= 1
		if err := os.WriteFile(name, raw, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(name, "a", &got); err == nil {
			t.Errorf("byte %d is damaged, but it was loaded", i)
		}
		raw[i] ^= 1
	}
	for n := range raw {
		if err := os.WriteFile(name, raw[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(name, "a", &got); err == nil {
			t.Errorf("%d bytes of %d were loaded", n, len(raw))
		}
	}
}
