package tune

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
)

// runMatch plays a tuned set of numbers against Defaults.
func runMatch(ctx context.Context, args []string, stdout io.Writer, stderr io.Writer) error {
	fs := newFlags("tune match")
	var o common
	o.add(fs)
	pairs := fs.Int("pairs", 500, "`NUMBER` of pairs of games, one opening from both sides")
	path := fs.String("state", "", "play the values that this state `FILE` has reached")
	sets := fs.String("set", "", "play with these values: `NAME=VALUE,...`, after those of -state")
	if err := parse(fs, args, stdout); err != nil {
		return err
	}
	if err := noArguments(fs); err != nil {
		return err
	}
	if *path == "" && *sets == "" {
		return flags.Usage("-state or -set is needed: what is to be played")
	}
	if *pairs < 1 || *pairs > 10_000_000 {
		return flags.Usage("-pairs %d is not between 1 and 10000000", *pairs)
	}
	deck, _, err := o.check()
	if err != nil {
		return err
	}
	tuned := search.DefaultParams()
	if *path != "" {
		r, err := loadRun(*path)
		if err != nil {
			return flags.Usage("-state: %v", err)
		}
		tuned = apply(tuned, r.Params, whole(r.theta()))
	}
	if err := set(&tuned, *sets); err != nil {
		return flags.Usage("-set: %v", err)
	}

	c, err := newContest(o.conditions, o.workers)
	if err != nil {
		return err
	}
	var p *progress.Line
	if !o.quiet {
		p = progress.New(stderr, 30*time.Second)
	}
	var now score
	sum, err := c.run(ctx, tuned, search.DefaultParams(), deck.hand(0, *pairs), func(pair score) {
		now.join(pair)
		if n := now.pairs(); p.Due(n == *pairs) {
			p.Show(fmt.Sprintf("%d/%d pairs", n, *pairs), now.String(), fmt.Sprintf("%.0f pairs/h", p.PerHour(n)),
				"to go "+progress.Span(p.ToGo(n, float64(*pairs-n))))
		}
	})
	p.End()
	fmt.Fprintln(stdout, "tuned:", changes(search.DefaultParams(), tuned))
	fmt.Fprintf(stdout, "%s, pairs %s\n", sum.String(), strings.Trim(strings.ReplaceAll(fmt.Sprint(sum.Pairs), " ", "/"), "[]"))
	return err
}

// set changes numbers of p as text says.
func set(p *search.Params, text string) error {
	if text == "" {
		return nil
	}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		list, err := choose(p, name)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("%s=%s is not a whole number", name, value)
		}
		if n < list[0].Min || n > list[0].Max {
			return fmt.Errorf("%s=%d is not between %d and %d", name, n, list[0].Min, list[0].Max)
		}
		*p = apply(*p, list, []int{n})
	}
	return nil
}

// changes lists what b has different from a.
func changes(a, b search.Params) string {
	var words []string
	of := b.Tunables()
	for i, t := range a.Tunables() {
		if *t.Value != *of[i].Value {
			words = append(words, fmt.Sprintf("%s %d -> %d", t.Name, *t.Value, *of[i].Value))
		}
	}
	if len(words) == 0 {
		return "nothing, both are Defaults"
	}
	return strings.Join(words, ", ")
}
