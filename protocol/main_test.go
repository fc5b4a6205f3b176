package protocol

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.fuzz").Value.String() == "" {
		flag.Set("test.parallel", "8") // most tests spend their time waiting
	}
	status := m.Run()
	if programDir != "" {
		os.RemoveAll(programDir)
	}
	os.Exit(status)
}
