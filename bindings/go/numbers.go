package plangate

// The numbers of the header, compared with it by a test. A number newer than this package is an error or a denial.

// Status says how a call of the library ended. It is an error to compare with: errors.Is(err, plangate.StatusPoisoned).
type Status uint32

// The values of Status.
const (
	StatusOK              Status = 0   // The call succeeded.
	StatusNullArgument    Status = 100 // A required pointer is null.
	StatusInvalidUTF8     Status = 101 // The input is not UTF-8.
	StatusTooLarge        Status = 102 // The input is larger than its limit.
	StatusUnknownNumber   Status = 103 // A number stands for nothing this version knows.
	StatusInvalidJSON     Status = 110 // Not JSON, a duplicate key, or nested too deep.
	StatusInvalidRequest  Status = 111 // JSON, but not a request of this shape.
	StatusInvalidConfig   Status = 120 // The configuration is not usable.
	StatusInvalidProfile  Status = 121 // The tool profile is not usable.
	StatusInvalidPlan     Status = 130 // The plan has faults.
	StatusInvalidSnapshot Status = 131 // A snapshot is damaged, newer, or of another configuration; the session is closed.
	StatusLineageConflict Status = 140 // The session already has another place in the family.
	StatusLineageCycle    Status = 141 // A session cannot descend from itself.
	StatusNothingToSettle Status = 142 // Nothing with this id waits for an answer now.
	StatusChildNotAllowed Status = 143 // A sub-agent cannot do this.
	StatusPlanMode        Status = 150 // Plan mode refuses this.
	StatusPanic           Status = 190 // The gate failed inside. If it was inside a session, that session is closed for good.
	StatusPoisoned        Status = 191 // An earlier failure closed this session.
)

// Reason says why a call may or may not run.
type Reason uint16

// The values of Reason.
const (
	ReasonUnavailable        Reason = 0  // Deny: the question could not be answered; see the status.
	ReasonReadOnly           Reason = 10 // Allow: the call only reads.
	ReasonInScope            Reason = 11 // Allow: the approved plan covers every effect of the call.
	ReasonAllowedTool        Reason = 12 // Allow: `allowTools` names the tool.
	ReasonExemptDelegated    Reason = 13 // Allow: `exemptDelegated` frees sub-agents.
	ReasonControlTool        Reason = 14 // Allow: the tool by which the model proposes a plan or leaves plan mode.
	ReasonClosed             Reason = 20 // Deny: no plan is approved.
	ReasonAwaitingApproval   Reason = 21 // Deny: a plan waits for the user.
	ReasonAmendmentRequired  Reason = 22 // Deny: the user agreed and added something; the model revises.
	ReasonOutside            Reason = 23 // Deny, held: outside the approved plan; ask the user.
	ReasonQuestionOpen       Reason = 24 // Deny: another call is held; its question comes first.
	ReasonUnknownParent      Reason = 25 // Deny: the session claims a parent nobody knows.
	ReasonChildCannotPropose Reason = 26 // A sub-agent cannot propose a plan.
	ReasonArgumentsNotObject Reason = 30 // Deny: the arguments are not a JSON object.
	ReasonDuplicateKey       Reason = 31 // Deny: a key stands twice in the arguments.
	ReasonArgumentMissing    Reason = 32 // Deny: a path, command or URL is missing.
	ReasonArgumentType       Reason = 33 // Deny: a path, command or URL has the wrong type.
	ReasonPathUnusable       Reason = 34 // Deny: the path cannot be judged.
	ReasonArgumentsTooLarge  Reason = 35 // Deny: the arguments are larger or deeper than the limits.
	ReasonReadNotUnderstood  Reason = 36 // Deny: the call reads, but its arguments are not understood.
	ReasonPatchUnreadable    Reason = 37 // Deny: the patch cannot be read with certainty.
	ReasonNeverGrantable     Reason = 40 // Deny: no plan can ever grant this tool.
	ReasonProtectedFile      Reason = 41 // Deny: the file belongs to the gate or the host.
	ReasonPoisoned           Reason = 50 // Deny: an error inside the gate closed this session.
)

// Source says who wrote a message. Only the user's is a reply.
type Source uint32

// The values of Source.
const (
	SourceUser      Source = 1 // Who wrote a message. Only the user's is a reply.
	SourceAssistant Source = 2 // The model.
	SourceTool      Source = 3 // A tool.
	SourcePlugin    Source = 4 // A plug-in.
	SourceSystem    Source = 5 // The harness.
	SourceAgent     Source = 6 // Another agent.
)

// Effect is what one effect of a call is.
type Effect uint32

// The values of Effect.
const (
	EffectRead     Effect = 1 // What one effect of a call is: reading a file.
	EffectWrite    Effect = 2 // Changing a file.
	EffectExecute  Effect = 3 // Running a command line.
	EffectFetch    Effect = 4 // Reaching the network.
	EffectDelegate Effect = 5 // Starting a sub-agent.
	EffectOther    Effect = 6 // Whatever the tool's name says.
)

// ReplyKind says how a message was read.
type ReplyKind uint8

// The values of ReplyKind.
const (
	ReplyOther   ReplyKind = 0 // How a reply was read (bits 0-7 of a reply's answer): neither of the two.
	ReplyApprove ReplyKind = 1 // A plain yes.
	ReplyAmend   ReplyKind = 2 // A yes with something added.
)

// Settled says what a message did.
type Settled uint8

// The values of Settled.
const (
	SettledIgnored       Settled = 0 // What a reply did (bits 8-15 of its answer): nothing.
	SettledDraftApproved Settled = 1 // The draft is approved.
	SettledHeldApproved  Settled = 2 // The held call joined the approved scope.
	SettledAmended       Settled = 3 // An amendment: the model revises.
	SettledCleared       Settled = 4 // Everything is cleared.
	SettledKept          Settled = 5 // A question that clears nothing.
	SettledStale         Settled = 6 // An approval for something that is not current any more.
	SettledDraftRejected Settled = 7 // The draft was rejected by a button.
	SettledHeldRejected  Settled = 8 // The held call was rejected by a button.
)
