//go:build e2e

package main

import (
	"context"
	"html"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// keys presses keys on the page of a review and writes what it shows after each.
const keys = `<script>
const shown = [];
for (const key of ["", "Home", "ArrowRight", "m", "m", "End", "ArrowLeft"]) {
	if (key) document.dispatchEvent(new KeyboardEvent("keydown", { key }));
	shown.push([key, document.body.dataset.at, document.querySelectorAll("#board circle.b, #board circle.w").length,
		document.getElementById("now").textContent, document.getElementById("better").textContent !== ""].join("|"));
}
document.querySelectorAll("#moves li")[2].click();
shown.push(["click", document.body.dataset.at, document.querySelectorAll("#plot polyline").length].join("|"));
const result = document.createElement("pre");
result.id = "result";
result.textContent = shown.join("\n");
document.body.append(result);
</script></body>`

func TestReviewPageInABrowser(t *testing.T) {
	out, errs, status := engine(t, "", "review", "-html", "-depth", "6", "-opening", "6", blundered) // one mistake only, whatever the evaluation
	lines(t, out, errs, status)
	name := file(t, "review.html", strings.Replace(out, "</body>", keys, 1))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dom, err := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+name).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(string(dom), `<pre id="result">`)
	got, _, _ = strings.Cut(got, "</pre>")
	shown := strings.Split(html.UnescapeString(got), "\n")
	want := []string{
		"|10|10|10. white j9: best (+M1, 100% for white)|false",
		"Home|0|0|Empty board|false",
		"ArrowRight|1|1|1. black h8: unjudged|false",
		"m|7|7|7. black g8: blunder (-M4, 0% for black)|true",
		"m|7|7|7. black g8: blunder (-M4, 0% for black)|true", // the only one
		"End|10|10|10. white j9: best (+M1, 100% for white)|false",
		"ArrowLeft|9|9|9. black a1: best (-M2, 0% for black)|false",
		"click|3|1",
	}
	if len(shown) != len(want) {
		t.Fatalf("the page shows\n%s", got)
	}
	for i := range want {
		if shown[i] != want[i] {
			t.Errorf("the page shows\n%s\nwant\n%s", shown[i], want[i])
		}
	}
}
