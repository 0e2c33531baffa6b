package plangate

import (
	"encoding/json"
	"fmt"
)

// Decision is the answer to a call, packed into one integer. Zero is a denial.
type Decision uint64

// Allowed reports whether the call may run. Only one value of all says yes.
func (d Decision) Allowed() bool { return d&0xff == 1 && d>>24 == 0 }

// Reason says why.
func (d Decision) Reason() Reason { return Reason(d >> 8 & 0xffff) }

// String is "allow" or "deny" with the number of the reason.
func (d Decision) String() string {
	if d.Allowed() {
		return fmt.Sprintf("allow (%d)", d.Reason())
	}
	return fmt.Sprintf("deny (%d)", d.Reason())
}

// Reply is how a message was read and what it did.
type Reply uint64

// Kind says how the message was read.
func (r Reply) Kind() ReplyKind { return ReplyKind(r & 0xff) }

// Settled says what it did.
func (r Reply) Settled() Settled { return Settled(r >> 8 & 0xff) }

// Approved reports whether something may run now that could not before.
func (r Reply) Approved() bool {
	return r.Settled() == SettledDraftApproved || r.Settled() == SettledHeldApproved
}

// Outside is one effect of a call that the approved plan does not cover.
type Outside struct {
	Kind    string  `json:"kind"`
	Value   string  `json:"value"`
	Why     string  `json:"why"`
	Nearest *string `json:"nearest"`
}

// CallAnswer is a decision with its words.
type CallAnswer struct {
	Decision string    `json:"decision"` // allow, hold or refuse
	Verdict  string    `json:"verdict"`  // allow or deny
	Reason   string    `json:"reason"`
	Code     Reason    `json:"code"`
	ID       string    `json:"id"` // of the call the user is asked about
	Outside  []Outside `json:"outside"`
	Child    string    `json:"child"` // the sub-agent that made the held call
	Text     string    `json:"text"`  // for the model
}

// ReplyAnswer is a reply with its words.
type ReplyAnswer struct {
	Kind       string `json:"kind"`
	Why        string `json:"why"`
	Note       string `json:"note"` // the user's words of an amendment
	Rule       string `json:"rule"`
	Settlement string `json:"settlement"`
	ID         string `json:"id"`
	Changed    bool   `json:"changed"`
}

// Proposal is the answer to a proposed plan.
type Proposal struct {
	OK       bool              `json:"ok"`
	ID       string            `json:"id"`
	Faults   []json.RawMessage `json:"faults"`
	Reason   string            `json:"reason"`
	Warnings []json.RawMessage `json:"warnings"`
	Rendered string            `json:"rendered"` // for the user
	Text     string            `json:"text"`     // for the model
}

// Scope lists what a plan may do.
type Scope struct {
	Tools    []string `json:"tools,omitempty"`
	Files    []string `json:"files,omitempty"`
	Commands []string `json:"commands,omitempty"`
	URLs     []string `json:"urls,omitempty"`
	Agents   []string `json:"agents,omitempty"`
}

// State is where a session stands. A sub-agent shows its root's.
type State struct {
	Role  string `json:"role"`  // root, child or orphan
	Phase string `json:"phase"` // closed, proposed, revising or approved
	Draft *struct {
		ID    string `json:"id"`
		Title string `json:"title"`
	} `json:"draft"`
	Held *struct {
		ID      string    `json:"id"`
		Child   string    `json:"child"`
		Outside []Outside `json:"outside"`
	} `json:"held"`
	Amendment string    `json:"amendment"`
	Title     string    `json:"title"`
	Scope     *Scope    `json:"scope"`
	Granted   []Outside `json:"granted"`
	Language  string    `json:"language"`
}

// MatchAnswer is what a session would answer in which exactly one scope is approved.
type MatchAnswer struct {
	Decision string            `json:"decision"`
	Outside  []Outside         `json:"outside"`
	Why      string            `json:"why"`
	Detail   string            `json:"detail"`
	Faults   []json.RawMessage `json:"faults"`
}

// Reading is how a text would be read as a reply.
type Reading struct {
	Verdict string `json:"verdict"`
	Why     string `json:"why"`
	Note    string `json:"note"`
	Rule    string `json:"rule"`
}
