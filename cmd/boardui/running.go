//go:build !js

package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// askTime is for the answer of a program at the default port. One that has been started a moment
// ago reads the positions of the explorer first.
const askTime = 3 * time.Second

// setupOf returns what tells programs apart that do not serve a player equally: the build, the
// engines and what they may use, and the folder.
func setupOf(specs []spec, threads, memory int, data string) string {
	if data != "none" {
		data, _ = filepath.Abs(data)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %x %d %d %q", engineVersion, build(), threads, memory, data)
	folder, _ := os.Getwd() // commands may name files in it
	for _, s := range specs {
		if !s.own {
			fmt.Fprintf(h, " %q in %q", s.command, folder)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// build returns a sum of this program, 0 if it cannot be read. The version alone stays the same
// while somebody works on it.
func build() uint32 {
	self, err := os.Executable()
	if err != nil {
		return 0
	}
	file, err := os.Open(self)
	if err != nil {
		return 0
	}
	defer file.Close()
	h := crc32.NewIEEE()
	if _, err := io.Copy(h, file); err != nil {
		return 0
	}
	return h.Sum32()
}

// runsAt reports whether the server at addr is this program with the same setup. A server that
// is another one may answer anything, or nothing until the time is over.
func runsAt(addr, setup string, limit time.Duration) bool {
	client := http.Client{
		Timeout:       limit,
		Transport:     &http.Transport{DisableKeepAlives: true}, // and no proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Get("http://" + addr + "/api/about")
	if err != nil {
		return false
	}
	defer response.Body.Close()
	var about struct {
		Setup string `json:"setup"`
	}
	err = json.NewDecoder(io.LimitReader(response.Body, maxBody)).Decode(&about)
	return err == nil && response.StatusCode == http.StatusOK && about.Setup == setup
}
