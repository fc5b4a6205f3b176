package proof

import (
	"bytes"
	"context"
	"testing"
	"time"
)

// FuzzRead: what is read is written and read again as the same proof, and a check of it ends.
func FuzzRead(f *testing.F) {
	const head = `{"proof":1,"rule":0,"width":15,"height":15,"pos":"h8a1h9a3h10a5","winner":"black","plies":3,"nodes":3}` + "\n"
	f.Add([]byte(head + `{"n":1,"move":"h11","answers":[{"to":"h12","n":2},{"n":3}]}` + "\n" + `{"n":2,"move":"h7"}` + "\n" + `{"n":3,"move":"h12"}` + "\n"))
	f.Add([]byte("(;GM[4]SZ[15]RU[renju]RE[B+1];B[hh];W[ao];B[hg];W[am];B[hf];W[ak]START[1];B[he]N[1](;W[hd];B[hi])(;W[];B[hd]SAME[1]))"))
	f.Add([]byte("(;GM[4]SZ[15]RU[caro]RE[B+1];B[hh];W[ao]START[1]CR[aa](;W[hd];B[hi])(;W[];B[hd]))"))
	f.Add([]byte("(;GM[4]SZ[15]RU[freestyle]RE[B+1];B[hh];W[ao]START[1];B[hi](;W[hd])(;W[];B[hd]))")) // no answer
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := Read(raw)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		positions, err := p.Check(ctx)
		if ctx.Err() != nil {
			return
		}
		for _, write := range []func(*bytes.Buffer) error{
			func(b *bytes.Buffer) error { return p.WriteLines(b) },
			func(b *bytes.Buffer) error { return p.WriteSGF(b) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			back, readErr := Read(b.Bytes())
			if readErr != nil {
				t.Fatalf("%v in\n%s", readErr, b.Bytes())
			}
			n, again := back.Check(ctx)
			if ctx.Err() == nil && (n != positions || (again == nil) != (err == nil)) {
				t.Errorf("%d positions, %v; written and read %d, %v\n%s", positions, err, n, again, b.Bytes())
			}
		}
	})
}
