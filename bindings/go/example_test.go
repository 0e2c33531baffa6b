package plangate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"

	plangate "github.com/plan-gate/plan-gate/bindings/go"
)

// step is what the scripted model does next: it says something or calls a tool.
type step struct{ says, tool, args string }

// harness is a tool loop with the gate in it.
type harness struct {
	session *plangate.Session
	files   map[string]string
	model   []step
}

// runTool stands for the harness's own tools.
func (h *harness) runTool(tool string, args []byte) string {
	var call struct {
		Path    string `json:"file_path"`
		Content string `json:"content"`
	}
	if err := json.Unmarshal(args, &call); err != nil {
		return err.Error()
	}
	if tool == "read" {
		return h.files[call.Path]
	}
	h.files[call.Path] = call.Content
	return "written"
}

// callTool is what one tool call gives back to the model. The gate is asked first, always.
func (h *harness) callTool(tool string, args []byte) string {
	if tool == "propose_plan" {
		proposal, err := h.session.Propose(args)
		if err != nil {
			return err.Error()
		}
		return proposal.Text
	}
	decision, err := h.session.Check(tool, args)
	if err != nil {
		return "Not run: " + err.Error()
	}
	if decision.Allowed() {
		return h.runTool(tool, args)
	}
	answer, err := h.session.Answer(tool, args)
	if err != nil {
		return "Not run: " + err.Error()
	}
	return answer.Text
}

// turn takes what a person typed and lets the model work until it speaks.
func (h *harness) turn(person string) error {
	if _, err := h.session.Reply(plangate.SourceUser, person, ""); err != nil {
		return err
	}
	for {
		next := h.model[0]
		h.model = h.model[1:]
		if next.tool == "" {
			fmt.Println("model:", next.says)
			return nil
		}
		text, _, _ := strings.Cut(h.callTool(next.tool, []byte(next.args)), ":")
		fmt.Printf("%s: %s\n", next.tool, text)
	}
}

// A tool loop with a scripted model: refused, planned, approved, done.
func Example_toolLoop() {
	gate, err := plangate.New(`{"profile":"dsh","locale":"en"}`)
	if err != nil {
		log.Fatal(err) // no gate: nothing may act
	}
	defer gate.Close()
	session, err := gate.Session("s1")
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	write := `{"file_path":"src/login.ts","content":"new"}`
	loop := harness{session, map[string]string{"src/login.ts": "old", "src/db.ts": "old"}, []step{
		{tool: "read", args: `{"file_path":"src/login.ts"}`},
		{tool: "write", args: write},
		{tool: "propose_plan", args: `{"title":"SMS login","plan":"Rewrite the form.","tools":["write"],"files":["src/login.ts"]}`},
		{says: "Do you agree?"},
		{tool: "write", args: write},
		{tool: "write", args: `{"file_path":"src/db.ts","content":"new"}`},
		{says: "Done."},
	}}
	for _, person := range []string{"Add SMS login.", "ok"} {
		if err := loop.turn(person); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(loop.files["src/login.ts"], loop.files["src/db.ts"])
	// Output:
	// read: old
	// write: Not run
	// propose_plan: The plan is shown to the user (id 0a273b76623feaf6da58a979ae759d63). Stop here and wait for the user's answer
	// model: Do you agree?
	// write: written
	// write: Not run
	// model: Done.
	// new old
}

func ExampleGate_Classify() {
	gate, err := plangate.New("")
	if err != nil {
		log.Fatal(err)
	}
	defer gate.Close()
	reading, err := gate.Classify("好的，但还要加个日志")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reading.Verdict, reading.Note)
	// Output: amend 但还要加个日志
}

func ExampleError() {
	_, err := plangate.New(`{"locales":"en"}`)
	fmt.Println(errors.Is(err, plangate.StatusInvalidConfig))
	// Output: true
}
