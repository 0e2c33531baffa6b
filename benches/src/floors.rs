//! What the machine charges for the least that a decision could do.
//!
//! Each floor is measured in the same run as what it is the floor of, so that a slower or a shared machine
//! moves both.

use crate::library::Library;
use rustc_hash::FxHashMap;
use std::hint::black_box;
use std::sync::{Mutex, PoisonError};

/// As long as an ordinary path.
pub const KEY: &str = "src/module_517/sub/deep/file_1.rs";

/// A lock, and a table of a thousand keys of [`KEY`]'s length behind it.
pub struct LockedTable {
    table: Mutex<FxHashMap<String, u64>>,
}

impl Default for LockedTable {
    fn default() -> Self {
        let key = |i: u64| format!("src/module_{i:03}/sub/deep/file_1.rs");
        Self { table: Mutex::new((0..1000).map(|i| (key(i), i)).collect()) }
    }
}

impl LockedTable {
    /// The table alone, for the floor without a lock.
    pub fn unlocked() -> FxHashMap<String, u64> {
        Self::default().table.into_inner().unwrap_or_default()
    }
}

/// What a C caller pays at least: one call that is not inlined, one lock, one look-up that finds its key.
///
/// # Safety
///
/// `table` is live; `key` points to `len` bytes of UTF-8.
unsafe extern "C" fn locked_look_up(table: *const LockedTable, key: *const u8, len: usize) -> u64 {
    // SAFETY: the caller's promise.
    let (table, key) =
        unsafe { (&*table, std::str::from_utf8_unchecked(std::slice::from_raw_parts(key, len))) };
    let table = table.table.lock().unwrap_or_else(PoisonError::into_inner);
    table.get(key).copied().unwrap_or(u64::MAX)
}

/// Call, lock and hash hit: the floor of a decision behind a C interface.
pub fn call_lock_hash(table: &LockedTable, key: &str) -> u64 {
    type LookUp = unsafe extern "C" fn(*const LockedTable, *const u8, usize) -> u64;
    let call: LookUp = black_box(locked_look_up);
    // SAFETY: both live as long as the call.
    unsafe { call(table, key.as_ptr(), key.len()) }
}

/// The floor of every call into the library: one that does nothing.
pub fn empty_call(library: &Library) -> u32 {
    library.abi_version()
}

/// An uncontended lock.
pub fn lock(mutex: &Mutex<u64>) -> u64 {
    let mut value = black_box(mutex).lock().unwrap_or_else(PoisonError::into_inner);
    *value = value.wrapping_add(1);
    *value
}

/// The floor of judging JSON arguments: borrow two strings from the same bytes, refuse duplicate keys.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteArguments<'a> {
    /// What a gate needs.
    #[serde(borrow)]
    pub file_path: std::borrow::Cow<'a, str>,
    /// What it must step over.
    #[serde(borrow, default)]
    pub content: Option<&'a serde_json::value::RawValue>,
}

/// Parses arguments that are known to be good.
///
/// # Panics
///
/// When they are not.
pub fn parse(arguments: &[u8]) -> WriteArguments<'_> {
    match serde_json::from_slice(arguments) {
        Ok(parsed) => parsed,
        Err(error) => panic!("the arguments of a bench are broken: {error}"),
    }
}
