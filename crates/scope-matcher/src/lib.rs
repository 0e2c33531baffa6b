//! Decides whether an approved scope covers a tool call.
