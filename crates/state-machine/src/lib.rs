//! The gate's state and transitions as one pure function.
