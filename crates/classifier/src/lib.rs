//! Reads a user's reply: approval, amendment, or neither. Rules and word lists, no model.
