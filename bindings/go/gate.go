package plangate

import (
	"encoding/json"
	"unicode/utf8"
)

// Gate is a compiled configuration and the sessions that live under it.
type Gate struct{ handle gateHandle }

// New compiles a configuration, a JSON object; "" means the defaults.
func New(config string) (*Gate, error) {
	gate := new(Gate)
	if err := gate.handle.open(config); err != nil {
		return nil, err
	}
	return gate, nil
}

// Close frees the handle. Open sessions stay usable.
func (g *Gate) Close() error {
	g.handle.close()
	return nil
}

// Session is the session with this id, whatever its place; a new one, in which nothing is approved, when there is
// none.
func (g *Gate) Session(id string) (*Session, error) {
	session := new(Session)
	if err := g.handle.session(id, &session.handle); err != nil {
		return nil, err
	}
	return session, nil
}

// Child is the sub-agent id of the session parent. It lives under the root's approval, live, never a copy. A parent
// nobody knows makes a session that may only read, for ever.
func (g *Gate) Child(id, parent string) (*Session, error) {
	session := new(Session)
	if err := g.handle.child(id, parent, &session.handle); err != nil {
		return nil, err
	}
	return session, nil
}

// Classify says how a text would be read as a reply. No session is asked or changed.
func (g *Gate) Classify(text string) (*Reading, error) {
	return call[Reading](&g.handle, field{"op", "classify"}, field{"text", text})
}

// Match says what a session would answer in which exactly scope is approved.
func (g *Gate) Match(scope Scope, tool string, args []byte) (*MatchAnswer, error) {
	return call[MatchAnswer](&g.handle,
		field{"op", "match"}, field{"scope", scope}, field{"tool", tool}, field{"argsText", string(args)})
}

// ToolSchema is the definition of propose_plan to put among the model's tools, in "en" or "zh".
func (g *Gate) ToolSchema(language string) (json.RawMessage, error) {
	schema, err := call[json.RawMessage](&g.handle, field{"op", "schema"}, field{"language", language})
	if err != nil {
		return nil, err
	}
	return *schema, nil
}

// Request answers any request that needs no session: one JSON object in, one out.
func (g *Gate) Request(request []byte) ([]byte, error) { return g.handle.request(request) }

// PlanMode is plan mode of one agent: guidance and a reviewed exit. It never blocks a call.
type PlanMode struct{ handle planModeHandle }

// NewPlanMode makes plan mode from a configuration, a JSON object with the key section.
func NewPlanMode(config string) (*PlanMode, error) {
	mode := new(PlanMode)
	if err := mode.handle.open(config); err != nil {
		return nil, err
	}
	return mode, nil
}

// Close frees the handle.
func (m *PlanMode) Close() error {
	m.handle.close()
	return nil
}

// Request reports what happened to the agent, or asks: one JSON object in, one out.
func (m *PlanMode) Request(request []byte) ([]byte, error) { return m.handle.request(request) }

// field is one field of a request.
type field struct {
	name  string
	value any
}

// raw is a value that is JSON already.
type raw []byte

type door interface {
	request([]byte) ([]byte, error)
}

// call sends the fields through a JSON door and reads the answer.
func call[T any](door door, fields ...field) (*T, error) {
	request := []byte{'{'}
	for index, field := range fields {
		if index > 0 {
			request = append(request, ',')
		}
		request = append(append(append(request, '"'), field.name...), '"', ':')
		value, err := encode(field.value)
		if err != nil {
			return nil, err
		}
		request = append(request, value...)
	}
	text, err := door.request(append(request, '}'))
	if err != nil {
		return nil, err
	}
	answer := new(T)
	if err := json.Unmarshal(text, answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// encode refuses text that is not UTF-8: encoding/json would put other characters in its place, and the gate would
// judge another call than the one that runs.
func encode(value any) ([]byte, error) {
	switch value := value.(type) {
	case raw:
		return value, nil
	case string:
		if !utf8.ValidString(value) {
			return nil, errorOf(StatusInvalidUTF8, nil)
		}
	}
	return json.Marshal(value)
}
