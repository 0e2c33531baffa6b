package plangate

import (
	"strings"
	"testing"
	"time"
)

// What a check costs beside the floor of the language: go test -bench . -run '^$'
var (
	benchFiles = []string{"src/features/login", "docs", "tests/login.test.ts", "package.json", "assets"}
	benchPath  = "src/features/login/form.tsx"
	benchArgs  = []byte(`{"file_path":"src/features/login/form.tsx","content":"export const a = 1;\n"}`)
	sink       bool
)

func benchSession(b *testing.B) *Session {
	session := open(b, newGate(b), "bench")
	files := `"` + strings.Join(benchFiles, `","`) + `"`
	if _, err := session.Propose([]byte(`{"title":"A","plan":"B","tools":["write"],"files":[` + files + `]}`)); err != nil {
		b.Fatal(err)
	}
	if reply, err := session.Reply(SourceUser, "ok", ""); err != nil || !reply.Approved() {
		b.Fatal(err)
	}
	return session
}

// fastest is the nanoseconds of one call in the best of many short rounds: another process can spoil few of them.
func fastest(call func()) float64 {
	const rounds, calls = 3000, 200
	best := time.Hour
	for range rounds {
		start := time.Now()
		for range calls {
			call()
		}
		best = min(best, time.Since(start))
	}
	return float64(best.Nanoseconds()) / calls
}

// BenchmarkOverhead measures all in one run and reports the ratios that count.
func BenchmarkOverhead(b *testing.B) {
	session := benchSession(b)
	allowed := map[string]bool{}
	for _, file := range benchFiles {
		allowed[file] = true
	}
	for b.Loop() {
		empty := fastest(func() { emptyCall() })
		effect := fastest(func() { session.CheckEffect("write", EffectWrite, benchPath) })
		check := fastest(func() { session.Check("write", benchArgs) })
		byHand := fastest(func() { sink = walk(allowed, benchPath) })
		b.ReportMetric(empty, "ns/empty")
		b.ReportMetric(effect, "ns/effect")
		b.ReportMetric(check, "ns/check")
		b.ReportMetric(byHand, "ns/by-hand")
		b.ReportMetric(effect/empty, "effect/empty")
		b.ReportMetric(effect/byHand, "effect/by-hand")
	}
}

func BenchmarkEmptyCall(b *testing.B) {
	for b.Loop() {
		sink = emptyCall() == 1
	}
}

func BenchmarkCheckEffect(b *testing.B) {
	session := benchSession(b)
	for b.Loop() {
		decision, err := session.CheckEffect("write", EffectWrite, benchPath)
		if err != nil || !decision.Allowed() {
			b.Fatal(decision, err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	session := benchSession(b)
	for b.Loop() {
		decision, err := session.Check("write", benchArgs)
		if err != nil || !decision.Allowed() {
			b.Fatal(decision, err)
		}
	}
}

// What a user would write by hand: normalise, then look the path and its parents up in a set.
func walk(allowed map[string]bool, path string) bool {
	parts := make([]string, 0, 8)
	for _, part := range strings.Split(strings.ReplaceAll(path, `\`, "/"), "/") {
		switch part {
		case "", ".":
		case "..":
			if len(parts) == 0 {
				return false
			}
			parts = parts[:len(parts)-1]
		default:
			parts = append(parts, part)
		}
	}
	for ; len(parts) > 0; parts = parts[:len(parts)-1] {
		if allowed[strings.Join(parts, "/")] {
			return true
		}
	}
	return false
}

func BenchmarkSetWalk(b *testing.B) {
	allowed := map[string]bool{}
	for _, file := range benchFiles {
		allowed[file] = true
	}
	for b.Loop() {
		if sink = walk(allowed, benchPath); !sink {
			b.Fatal("not found")
		}
	}
}
