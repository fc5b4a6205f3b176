//go:build e2e

package main

import (
	"context"
	"testing"
	"time"
)

// A person watches a match in the browser to its end.
func TestAMatchIsWatchedInChromium(t *testing.T) {
	tr, server := newWatched(t, 30)
	b := openBrowser(t)
	b.look(1280, 900, "light")
	b.visit(server.url())
	until := func(what, expression string) {
		t.Helper()
		for range 600 {
			if b.eval(expression) == "true" {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		b.shoot("watch-fails")
		t.Fatalf("%s: %s stays false", what, expression)
	}
	until("the stream", `document.getElementById("state").textContent === "live"`)
	done := make(chan error, 1)
	go func() { done <- tr.run(context.Background()) }()
	until("two boards", `document.querySelectorAll(".boards .game svg").length === 2`)
	until("a stone", `document.querySelectorAll(".boards circle.b").length > 4`)
	until("a game has ended", `/, [1-9]\d* of 30 games/.test(document.getElementById("summary").textContent)`)
	until("standings", `document.querySelectorAll("#standings tbody tr").length === 2`)
	b.shoot("watch")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	server.close()
	until("the end", `document.getElementById("state").textContent === "over"`)
	until("all games", `document.getElementById("summary").textContent.includes("30 of 30 games")`)
	until("the last games are marked", `document.querySelectorAll(".boards .game.ended").length === 2`)
	if got := b.eval(`document.querySelector("#standings strong").textContent + document.querySelectorAll("one").length`); got != "<one>0" && got != "two0" {
		t.Errorf("the first name is %q", got)
	}
	b.look(390, 844, "dark")
	until("no sideways scroll on a phone", `document.documentElement.scrollWidth <= innerWidth`)
	b.shoot("watch-phone")
}
