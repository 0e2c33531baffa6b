package plangate

import "unicode/utf8"

// Session is one conversation. Calls on one session and its sub-agents run one after another.
type Session struct{ handle sessionHandle }

// Close frees the handle. The session lives on in its gate and can be opened again.
func (s *Session) Close() error {
	s.handle.close()
	return nil
}

// End ends the session: the approval of a root is gone, for its sub-agents too. Then it closes the handle.
func (s *Session) End() error {
	if _, err := s.handle.request([]byte(`{"op":"close"}`)); err != nil && err != ErrClosed {
		return err
	}
	return s.Close()
}

// Check asks: may this tool call run now? args is the JSON of the arguments, byte for byte as the tool will get
// them. A call outside the approved plan is held; the same call again answers the same.
func (s *Session) Check(tool string, args []byte) (Decision, error) {
	return decision(s.handle.check(tool, args))
}

// CheckEffect is [Session.Check] for a host that knows the one effect of its call: value is the path, command line,
// URL or agent kind.
func (s *Session) CheckEffect(tool string, kind Effect, value string) (Decision, error) {
	return decision(s.handle.checkEffect(tool, kind, value))
}

// Allows is Check as one bool: true only for an allowed call, false for all else.
func (s *Session) Allows(tool string, args []byte) bool {
	bits, _ := s.handle.check(tool, args)
	return Decision(bits).Allowed()
}

// Answer is [Session.Check] with the words for the model and what the plan does not cover.
func (s *Session) Answer(tool string, args []byte) (*CallAnswer, error) {
	return call[CallAnswer](&s.handle, field{"op", "check"}, field{"tool", tool}, field{"argsText", string(args)})
}

// Reply says that a person typed text, or that somebody else wrote it. shown is the id of the plan or held call that
// was on the screen when the message was sent; "" means the current one. A host that queues messages must pass it, or
// an old "ok" could approve a plan nobody saw.
func (s *Session) Reply(source Source, text, shown string) (Reply, error) {
	bits, open := s.handle.reply(source, text, shown)
	if err := failure(bits, open); err != nil {
		return 0, err
	}
	return Reply(bits), nil
}

// ReplyAnswer is [Session.Reply] of the user with the rule that decided and the user's note. attachments says that
// images or files came with the message.
func (s *Session) ReplyAnswer(text, shown string, attachments bool) (*ReplyAnswer, error) {
	if !utf8.ValidString(text) {
		// No JSON can carry it. It may have said stop, so it must reach the session all the same.
		if _, err := s.Reply(SourceUser, text, shown); err != nil {
			return nil, err
		}
		return nil, errorOf(StatusInvalidUTF8, nil)
	}
	fields := []field{{"op", "reply"}, {"text", text}, {"attachments", attachments}}
	if shown != "" {
		fields = append(fields, field{"shown", shown})
	}
	return call[ReplyAnswer](&s.handle, fields...)
}

// Propose says that the model proposes a plan: the arguments of its propose_plan call.
func (s *Session) Propose(plan []byte) (*Proposal, error) {
	return call[Proposal](&s.handle, field{"op", "propose"}, field{"plan", raw(plan)})
}

// Settle says that the user pressed a button beside the plan or held call id; it answers what that did.
func (s *Session) Settle(id string, approve bool) (string, error) {
	answer, err := call[struct{ Settlement string }](&s.handle,
		field{"op", "settle"}, field{"id", id}, field{"approve", approve})
	if err != nil {
		return "", err
	}
	return answer.Settlement, nil
}

// State says where the session stands.
func (s *Session) State() (*State, error) { return call[State](&s.handle, field{"op", "state"}) }

// Render is the waiting plan as the user is to see it; "" when none waits.
func (s *Session) Render() (string, error) {
	answer, err := call[struct{ Rendered string }](&s.handle, field{"op", "render"})
	if err != nil {
		return "", err
	}
	return answer.Rendered, nil
}

// Export is a snapshot for [Session.Import], in this or another process.
func (s *Session) Export() (string, error) {
	answer, err := call[struct{ Snapshot string }](&s.handle, field{"op", "export"})
	if err != nil {
		return "", err
	}
	return answer.Snapshot, nil
}

// Import takes a snapshot back. One that is damaged or of another configuration leaves nothing approved.
func (s *Session) Import(snapshot string) error {
	_, err := call[struct{}](&s.handle, field{"op", "import"}, field{"snapshot", snapshot})
	return err
}

// Request answers any request of a session: one JSON object in, one out.
func (s *Session) Request(request []byte) ([]byte, error) { return s.handle.request(request) }

func decision(bits uint64, open bool) (Decision, error) {
	if err := failure(bits, open); err != nil {
		return 0, err
	}
	return Decision(bits), nil
}

// failure is the error of a packed answer, whose status stands above bit 24.
func failure(bits uint64, open bool) error {
	switch {
	case !open:
		return ErrClosed
	case bits>>24 != 0:
		return errorOf(Status(bits>>24), nil)
	}
	return nil
}
