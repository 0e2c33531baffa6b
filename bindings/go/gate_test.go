package plangate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"
)

const (
	writeA = `{"file_path":"src/a","content":"x"}`
	writeB = `{"file_path":"src/b","content":"x"}`
	plan   = `{"title":"A","plan":"Do it.","tools":["write"],"files":["src/a"]}`
)

func newGate(t testing.TB) *Gate {
	t.Helper()
	gate, err := New(`{"profile":"dsh","locale":"en"}`)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gate.Close() })
	return gate
}

func open(t testing.TB, gate *Gate, id string) *Session {
	t.Helper()
	session, err := gate.Session(id)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// approved is a session in which writing src/a is approved.
func approved(t testing.TB, gate *Gate, id string) *Session {
	t.Helper()
	session := open(t, gate, id)
	if proposal, err := session.Propose([]byte(plan)); err != nil || !proposal.OK {
		t.Fatal(proposal, err)
	}
	if reply, err := session.Reply(SourceUser, "ok", ""); err != nil || !reply.Approved() {
		t.Fatal(reply, err)
	}
	return session
}

func expect[T comparable](t *testing.T, found, wanted T) {
	t.Helper()
	if found != wanted {
		t.Fatalf("%v, expected %v", found, wanted)
	}
}

func status(t *testing.T, err error, wanted Status) {
	t.Helper()
	if !errors.Is(err, wanted) {
		t.Fatalf("%v, expected %v", err, wanted)
	}
}

func TestConversation(t *testing.T) {
	session := open(t, newGate(t), "s")
	defer session.Close()
	decision, err := session.Check("write", []byte(writeA))
	expect(t, err, nil)
	expect(t, decision.Reason(), ReasonClosed)
	expect(t, decision.String(), "deny (20)")
	proposal, err := session.Propose([]byte(plan))
	expect(t, err, nil)
	rendered, err := session.Render()
	expect(t, err, nil)
	expect(t, strings.Contains(rendered, "src/a"), true)
	reply, err := session.Reply(SourceUser, "ok", proposal.ID)
	expect(t, err, nil)
	expect(t, reply.Kind(), ReplyApprove)
	expect(t, reply.Settled(), SettledDraftApproved)
	expect(t, session.Allows("write", []byte(writeA)), true)
	decision, err = session.CheckEffect("write", EffectWrite, "src/a")
	expect(t, err, nil)
	expect(t, decision.String(), "allow (11)")
	answer, err := session.Answer("write", []byte(writeB))
	expect(t, err, nil)
	expect(t, answer.Decision, "hold")
	expect(t, answer.Outside[0].Value, "src/b")
	state, err := session.State()
	expect(t, err, nil)
	expect(t, state.Held.ID, answer.ID)
	settled, err := session.Settle(answer.ID, false)
	expect(t, err, nil)
	expect(t, settled, "held_rejected")
	_, err = session.Settle(answer.ID, true)
	status(t, err, StatusNothingToSettle)
	note, err := session.ReplyAnswer("yes, but add a log", "", false)
	expect(t, err, nil)
	expect(t, note.Kind, "amend")
	rendered, err = session.Render()
	expect(t, err, nil)
	expect(t, rendered, "")
}

func TestOnlyTheUserApproves(t *testing.T) {
	session := open(t, newGate(t), "s")
	if _, err := session.Propose([]byte(plan)); err != nil {
		t.Fatal(err)
	}
	for source := SourceAssistant; source <= SourceAgent; source++ {
		reply, err := session.Reply(source, "ok", "")
		expect(t, err, nil)
		expect(t, reply.Settled(), SettledIgnored)
	}
	expect(t, session.Allows("write", []byte(writeA)), false)
}

func TestChildren(t *testing.T) {
	gate := newGate(t)
	root := approved(t, gate, "root")
	child, err := gate.Child("child", "root")
	expect(t, err, nil)
	expect(t, child.Allows("write", []byte(writeA)), true)
	expect(t, root.End(), nil)
	expect(t, root.End(), nil)
	expect(t, child.Allows("write", []byte(writeA)), false)
	orphan, err := gate.Child("orphan", "nobody")
	expect(t, err, nil)
	decision, err := orphan.Check("write", []byte(writeA))
	expect(t, err, nil)
	expect(t, decision.Reason(), ReasonUnknownParent)
	_, err = gate.Child("x", "x")
	status(t, err, StatusLineageCycle)
}

func TestSnapshots(t *testing.T) {
	snapshot, err := approved(t, newGate(t), "s").Export()
	expect(t, err, nil)
	session := open(t, newGate(t), "s")
	expect(t, session.Import(snapshot), nil)
	expect(t, session.Allows("write", []byte(writeA)), true)
	status(t, session.Import(snapshot[1:]), StatusInvalidSnapshot)
	expect(t, session.Allows("write", []byte(writeA)), false)
}

func TestStandAlone(t *testing.T) {
	gate := newGate(t)
	reading, err := gate.Classify("同意")
	expect(t, err, nil)
	expect(t, reading.Verdict, "approve")
	match, err := gate.Match(Scope{Tools: []string{"write"}, Files: []string{"src/a"}}, "write", []byte(writeB))
	expect(t, err, nil)
	expect(t, match.Decision, "hold")
	schema, err := gate.ToolSchema("zh")
	expect(t, err, nil)
	expect(t, strings.Contains(string(schema), `"propose_plan"`), true)
	profiles, err := gate.Request([]byte(`{"op":"profiles"}`))
	expect(t, err, nil)
	expect(t, strings.Contains(string(profiles), `"dsh"`), true)
	mode, err := NewPlanMode(`{"section":"Read.\n"}`)
	expect(t, err, nil)
	answer, err := mode.Request([]byte(`{"op":"get"}`))
	expect(t, err, nil)
	expect(t, string(answer), `{"active":false,"pending":null}`)
	expect(t, mode.Close(), nil)
	_, err = mode.Request([]byte(`{"op":"get"}`))
	expect(t, err, ErrClosed)
	_, err = NewPlanMode("{}")
	status(t, err, StatusInvalidConfig)
}

func TestErrorsSayWhatAndWhere(t *testing.T) {
	_, err := New(`{"locales":"en"}`)
	status(t, err, StatusInvalidConfig)
	expect(t, strings.Contains(err.Error(), "locales"), true)
	_, err = open(t, newGate(t), "s").Request([]byte(`{"op":"nothing"}`))
	expect(t, strings.Contains(err.Error(), "`nothing`"), true)
	expect(t, errors.Is(err, StatusPoisoned), false)
	expect(t, Status(4000000).Error(), "plangate: unknown status")
	_, err = newGate(t).Session("")
	status(t, err, StatusInvalidRequest)
}

func TestClosed(t *testing.T) {
	gate := newGate(t)
	session, again := approved(t, gate, "s"), open(t, gate, "s")
	expect(t, session.Close(), nil)
	expect(t, session.Close(), nil)
	expect(t, gate.Close(), nil)
	expect(t, gate.Close(), nil)
	expect(t, session.Allows("write", []byte(writeA)), false)
	_, checked := session.Check("write", []byte(writeA))
	_, effect := session.CheckEffect("write", EffectWrite, "src/a")
	_, replied := session.Reply(SourceUser, "ok", "")
	_, proposed := session.Propose([]byte(plan))
	_, opened := gate.Session("t")
	_, child := gate.Child("t", "s")
	_, asked := gate.Request([]byte("{}"))
	for _, err := range []error{checked, effect, replied, proposed, opened, child, asked} {
		expect(t, err, ErrClosed)
	}
	// Other handles stay usable after their gate's.
	expect(t, again.Allows("write", []byte(writeA)), true)
	var zero Session
	expect(t, zero.Allows("write", []byte(writeA)), false)
}

func TestWrongInputsNeverAllow(t *testing.T) {
	session := approved(t, newGate(t), "s")
	for _, args := range []string{"", "null", "[]", "not json", "\xff", writeA[:len(writeA)-1], "\x00" + writeA,
		`{"file_path":"src/a","file_path":"/etc"}`, strings.Repeat(" ", 4<<20) + writeA} {
		expect(t, session.Allows("write", []byte(args)), false)
	}
	expect(t, session.Allows("write", nil), false)
	expect(t, session.Allows("\xff", []byte(writeA)), false)
	_, err := session.CheckEffect("write", 99, "src/a")
	status(t, err, StatusUnknownNumber)
	_, err = session.Reply(99, "ok", "")
	status(t, err, StatusUnknownNumber)
	_, err = session.Answer("write", []byte("\xff"))
	status(t, err, StatusInvalidUTF8)
	for _, plan := range []string{"", "{}}", `{},"op":"settle"`, `{"title":"A","title":"B"}`} {
		if proposal, err := session.Propose([]byte(plan)); err == nil && proposal.OK {
			t.Fatal(plan)
		}
	}
	expect(t, session.Allows("write", []byte(writeA)), true)
	// What cannot be read may have said stop.
	_, err = session.ReplyAnswer("stop \xff", "", true)
	status(t, err, StatusInvalidUTF8)
	expect(t, session.Allows("write", []byte(writeA)), false)
}

func TestCloseUnderRunningCalls(t *testing.T) {
	gate := newGate(t)
	for round := range 30 {
		session := approved(t, gate, fmt.Sprint("s", round))
		var wait sync.WaitGroup
		for range 4 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for {
					if _, err := session.Check("write", []byte(writeA)); err != nil {
						if err != ErrClosed {
							t.Error(err)
						}
						return
					}
				}
			}()
		}
		if round%2 == 0 {
			session.Close()
		} else if err := session.End(); err != nil {
			t.Error(err)
		}
		wait.Wait()
	}
}

// The collector frees what nobody closed, and nothing that is in use: run with GOGC=1.
func TestForgottenHandles(t *testing.T) {
	gate := newGate(t)
	approved(t, gate, "s")
	for range 300 {
		session := open(t, gate, "s")
		expect(t, session.Allows("write", []byte(writeA)), true)
		runtime.GC()
	}
}

func TestNumbersAreThoseOfTheHeader(t *testing.T) {
	header, err := os.ReadFile("../../include/plan_gate.h")
	expect(t, err, nil)
	defined := map[string]string{}
	for _, match := range regexp.MustCompile(`(?m)^#define PLAN_GATE_(STATUS|REASON|SOURCE|EFFECT|REPLY|SETTLED)_(\w+) (\d+)$`).FindAllSubmatch(header, -1) {
		name := strings.ReplaceAll(string(match[1])+string(match[2]), "_", "")
		defined[strings.ToLower(name)] = string(match[3])
	}
	file, err := parser.ParseFile(token.NewFileSet(), "numbers.go", nil, 0)
	expect(t, err, nil)
	found := map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok {
			found[strings.ToLower(spec.Names[0].Name)] = spec.Values[0].(*ast.BasicLit).Value
		}
		return true
	})
	expect(t, len(defined) > 60, true)
	expect(t, fmt.Sprint(sorted(found)), fmt.Sprint(sorted(defined)))
}

func sorted(from map[string]string) []string {
	var out []string
	for name, value := range from {
		out = append(out, name+"="+value)
	}
	sort.Strings(out)
	return out
}

func TestLayout(t *testing.T) {
	layout, err := os.ReadFile("../../include/plan_gate.layout.json")
	expect(t, err, nil)
	text := string(layout)
	for name, offset := range bufLayout() {
		expect(t, strings.Contains(text, fmt.Sprintf("%q: %d", name, offset)), true)
	}
}

// TestOtherABI runs this test binary with a library of another ABI number.
func TestOtherABI(t *testing.T) {
	if os.Getenv("PLAN_GATE_TEST_OTHER_ABI") != "" {
		_, err := New("")
		_, mode := NewPlanMode("{}")
		if err == nil || mode == nil {
			t.Fatal("a library of another ABI was accepted")
		}
		fmt.Println("refused:", err)
		return
	}
	symbols, err := os.ReadFile("../../include/plan_gate.sym")
	expect(t, err, nil)
	folder := t.TempDir()
	var source strings.Builder
	for _, name := range strings.Fields(string(symbols)) {
		fmt.Fprintf(&source, "int %s(void) { return 0; }\n", name)
	}
	expect(t, os.WriteFile(folder+"/stub.c", []byte(source.String()), 0o600), nil)
	out, err := exec.Command("cc", "-shared", "-fPIC", "-Wl,-soname,libplan_gate.so.1", "-o", folder+"/libplan_gate.so.1", folder+"/stub.c").CombinedOutput()
	if err != nil {
		t.Fatal(err, string(out))
	}
	self := exec.Command(os.Args[0], "-test.run=^TestOtherABI$")
	self.Env = append(os.Environ(), "PLAN_GATE_TEST_OTHER_ABI=1", "LD_LIBRARY_PATH="+folder)
	out, err = self.CombinedOutput()
	if err != nil {
		t.Fatal(err, string(out))
	}
	expect(t, strings.Contains(string(out), "is older than this program: its interface has the number 0, this program needs 1"), true)
	expect(t, strings.Contains(string(out), "no tool may act"), true)
}
