// Command conformance plays every conversation of tests/conformance: once through the JSON door, once through the
// typed calls.
//
//	go run ./internal/conformance ../../tests/conformance
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	plangate "github.com/plan-gate/plan-gate/bindings/go"
)

type object = map[string]any

type conversation struct {
	ID, Why string
	Config  any
	Steps   []object
}

var own = map[string]bool{
	"do": true, "session": true, "save": true, "cut": true, "replace": true, "expect": true, "parent": true,
}

var sources = map[string]plangate.Source{
	"user": plangate.SourceUser, "assistant": plangate.SourceAssistant, "tool": plangate.SourceTool,
	"plugin": plangate.SourcePlugin, "system": plangate.SourceSystem, "agent": plangate.SourceAgent,
}

var settlements = []string{
	"ignored", "draft_approved", "held_approved", "amended", "cleared", "kept", "stale", "draft_rejected",
	"held_rejected",
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	return value
}

// dump is compact, sorted, nothing escaped that need not be: a message may name a column.
func dump(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	must(0, encoder.Encode(value))
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// load keeps numbers as they are written.
func load(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

func word(step object, key string) string {
	text, _ := step[key].(string)
	return text
}

func request(step object) []byte {
	out := object{"op": step["do"]}
	for key, value := range step {
		if !own[key] {
			out[key] = value
		}
	}
	return dump(out)
}

func errorJSON(err error) string {
	var found *plangate.Error
	if !errors.As(err, &found) {
		must(0, err)
	}
	return string(dump(object{"error": object{
		"kind": found.Kind, "message": found.Message, "status": uint32(found.Status),
	}}))
}

type door interface {
	Request([]byte) ([]byte, error)
}

func ask(door door, request []byte) string {
	answer, err := door.Request(request)
	if err != nil {
		return errorJSON(err)
	}
	return string(answer)
}

// matches reports whether answer has everything that expect names.
func matches(expect, answer any) bool {
	switch expect := expect.(type) {
	case object:
		found, ok := answer.(object)
		if !ok {
			return false
		}
		for key, value := range expect {
			if words, says := value.([]any); key == "says" && says {
				message := word(found, "message")
				for _, part := range words {
					if !strings.Contains(message, part.(string)) {
						return false
					}
				}
			} else if inner, ok := found[key]; !ok || !matches(value, inner) {
				return false
			}
		}
		return true
	case []any:
		found, ok := answer.([]any)
		if !ok || len(found) != len(expect) {
			return false
		}
		for index := range expect {
			if !matches(expect[index], found[index]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(expect, answer)
}

// report is what came of it.
type report struct {
	passed   int
	failures []string
	digest   interface {
		Write([]byte) (int, error)
		Sum64() uint64
	}
}

func (r *report) check(id string, number int, step object, typed, answer string) {
	fmt.Fprintf(r.digest, "%s\t%d\t%s\t%s\n", id, number, typed, answer)
	var value any
	must(0, load([]byte(answer), &value))
	fields, _ := value.(object)
	expect, _ := step["expect"].(object)
	_, expected := expect["error"]
	_, failed := fields["error"].(object)
	if failed && !expected || !agree(step, typed, fields) || !matches(any(expect), value) {
		r.failures = append(r.failures,
			fmt.Sprintf("%s step %d: %s\n  answered %s\n  typed %s", id, number, dump(step), answer, typed))
	}
}

// agree reports whether the packed integer says the same as the door's answer.
func agree(step object, typed string, answer object) bool {
	if typed == "-" {
		return true
	}
	var bits uint64
	fmt.Sscan(typed, &bits)
	if word(step, "do") == "check" {
		decision := plangate.Decision(bits)
		code, _ := answer["code"].(json.Number)
		return decision.Allowed() == (answer["verdict"] == "allow") &&
			code.String() == fmt.Sprint(uint16(decision.Reason())) && bits>>24 == 0
	}
	kinds := []string{"other", "approve", "amend"}
	kind, settled := int(bits&0xff), int(bits>>8)
	return kind < len(kinds) && settled < len(settlements) &&
		kinds[kind] == answer["kind"] && settlements[settled] == answer["settlement"]
}

// player holds two gates in the same state.
type player struct {
	config      any
	door, typed *plangate.Gate
	saved       map[string]string
}

func newGate(config any) (*plangate.Gate, error) { return plangate.New(string(dump(config))) }

func (p *player) fill(value any) any {
	switch value := value.(type) {
	case string:
		if saved, ok := p.saved[strings.TrimPrefix(value, "$")]; ok && strings.HasPrefix(value, "$") {
			return saved
		}
	case []any:
		out := make([]any, len(value))
		for index := range value {
			out[index] = p.fill(value[index])
		}
		return out
	case object:
		out := object{}
		for key, inner := range value {
			out[key] = p.fill(inner)
		}
		return out
	}
	return value
}

func (p *player) save(step object, answer string) {
	name := word(step, "save")
	if name == "" {
		return
	}
	var fields object
	must(0, load([]byte(answer), &fields))
	for _, key := range []string{"id", "snapshot"} {
		if found := word(fields, key); found != "" {
			p.saved[name] = found
			return
		}
	}
	p.saved[name] = ""
}

func (p *player) step(step object) (typed, answer string) {
	switch word(step, "do") {
	case "gate":
		config, ok := step["config"]
		if !ok {
			config = p.config
		}
		door, err := newGate(config)
		if err != nil {
			return "-", errorJSON(err)
		}
		p.door.Close()
		p.typed.Close()
		p.door, p.typed = door, must(newGate(config))
		return "-", "{}"
	case "spawn":
		status := spawn(p.door, step)
		if other := spawn(p.typed, step); other != status {
			must(0, fmt.Errorf("%d and %d", status, other))
		}
		return "-", fmt.Sprintf(`{"status":%d}`, status)
	case "request":
		return "-", ask(p.door, dump(step["request"]))
	}
	byDoor, byType := must(p.door.Session(word(step, "session"))), must(p.typed.Session(word(step, "session")))
	defer byDoor.Close()
	defer byType.Close()
	step = damaged(step)
	switch word(step, "do") {
	case "close":
		must(0, byDoor.End())
		must(0, byType.End())
		return "-", "{}"
	case "check":
		return typedCheck(byType, step), ask(byDoor, request(step))
	case "reply":
		return typedReply(byType, step), ask(byDoor, request(step))
	}
	answer = ask(byDoor, request(step))
	if other := ask(byType, request(step)); other != answer {
		must(0, fmt.Errorf("the gates differ: %s, %s", answer, other))
	}
	return "-", answer
}

func spawn(gate *plangate.Gate, step object) uint32 {
	child, err := gate.Child(word(step, "session"), word(step, "parent"))
	var found *plangate.Error
	if errors.As(err, &found) {
		return uint32(found.Status)
	}
	must(0, err)
	child.Close()
	return 0
}

// damaged applies cut and replace to an import's snapshot.
func damaged(step object) object {
	snapshot, ok := step["snapshot"].(string)
	if !ok {
		return step
	}
	out := object{}
	for key, value := range step {
		out[key] = value
	}
	if cut, ok := step["cut"].(json.Number); ok {
		snapshot = snapshot[:len(snapshot)-int(must(cut.Int64()))]
	}
	if pair, ok := step["replace"].([]any); ok {
		snapshot = strings.Replace(snapshot, pair[0].(string), pair[1].(string), 1)
	}
	out["snapshot"] = snapshot
	return out
}

func typedCheck(session *plangate.Session, step object) string {
	args, ok := step["argsText"].(string)
	if !ok {
		args = string(dump(step["args"]))
	}
	decision := must(session.Check(word(step, "tool"), []byte(args)))
	return fmt.Sprint(uint64(decision))
}

// typedReply is "-" when the typed call cannot say it: attachments travel through the door.
func typedReply(session *plangate.Session, step object) string {
	if _, ok := step["attachments"]; ok {
		ask(session, request(step))
		return "-"
	}
	source, ok := sources[word(step, "source")]
	if !ok {
		source = plangate.SourceUser
	}
	reply, err := session.Reply(source, word(step, "text"), word(step, "shown"))
	if err != nil {
		return "-"
	}
	return fmt.Sprint(uint64(reply))
}

func play(conversation conversation, planMode bool, report *report) {
	if planMode {
		mode := must(plangate.NewPlanMode(string(dump(conversation.Config))))
		defer mode.Close()
		for number, step := range conversation.Steps {
			report.check(conversation.ID, number, step, "-", ask(mode, request(step)))
		}
		return
	}
	player := &player{conversation.Config, must(newGate(conversation.Config)), must(newGate(conversation.Config)), map[string]string{}}
	defer func() { player.door.Close(); player.typed.Close() }()
	for number, raw := range conversation.Steps {
		step := player.fill(raw).(object)
		typed, answer := player.step(step)
		player.save(step, answer)
		report.check(conversation.ID, number, step, typed, answer)
	}
}

func main() {
	folder := os.Args[1]
	var manifest map[string]int
	must(0, json.Unmarshal(must(os.ReadFile(filepath.Join(folder, "manifest.json"))), &manifest))
	files := make([]string, 0, len(manifest))
	for file := range manifest {
		files = append(files, file)
	}
	sort.Strings(files)
	report := &report{digest: fnv.New64a()}
	for _, file := range files {
		var conversations []conversation
		must(0, load(must(os.ReadFile(filepath.Join(folder, file))), &conversations))
		if len(conversations) != manifest[file] {
			must(0, fmt.Errorf("%s: %d conversations, the manifest says %d", file, len(conversations), manifest[file]))
		}
		for _, conversation := range conversations {
			before := len(report.failures)
			play(conversation, strings.HasPrefix(file, "plan-mode/"), report)
			if len(report.failures) == before {
				report.passed++
			}
		}
	}
	for _, failure := range report.failures {
		fmt.Println(failure)
	}
	fmt.Printf("conformance: %d passed, %d failed\ndigest: %016x\n", report.passed, len(report.failures), report.digest.Sum64())
	if len(report.failures) > 0 {
		os.Exit(1)
	}
}
