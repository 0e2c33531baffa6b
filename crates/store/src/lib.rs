//! Keeps gate sessions in one SQLite file, outside the decision path.
