package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"

	"tengen/brain/search"
	"tengen/cmd/internal/flags"
)

// bench prints the signature and the speed of the search. A default.pgo made of its
// profile slowed it down by 5% (2026-11, Go 1.26, four runs in turn), so there is none.
func bench(fs *flag.FlagSet) func(invocation) error {
	profile := fs.String("cpuprofile", "", "write a CPU profile to this `FILE`")
	return func(r invocation) (failed error) {
		if *profile != "" {
			f, err := os.Create(*profile)
			if err != nil {
				return flags.Usage("-cpuprofile: %v", err)
			}
			defer func() { failed = cmp.Or(failed, f.Close()) }()
			if err := pprof.StartCPUProfile(f); err != nil {
				return err
			}
			defer pprof.StopCPUProfile()
		}
		result, err := search.Bench(r.config.Evaluation.New)
		if err != nil {
			return err
		}
		seconds := max(result.Elapsed.Seconds(), 1e-9)
		_, err = fmt.Fprintf(r.stdout, "Time: %.2f s\nCutoffs: %d\nFirst: %.1f%%\nNodes: %d\nNodes/s: %d\nBench: %d\n",
			seconds, result.Cutoffs, float64(result.First)*100/float64(max(result.Cutoffs, 1)),
			result.Nodes, int64(float64(result.Nodes)/seconds), result.Nodes)
		return err
	}
}
