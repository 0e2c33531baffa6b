//! The only place that turns pointer and length into a slice.

use plan_gate::limits::MAX_INPUT_BYTES;
use plan_gate::{Error, ErrorKind};
use std::ffi::c_char;

/// The bytes of an input. (NULL, 0) is the empty input.
///
/// # Safety
///
/// `data` is null, or points to `len` bytes that nobody changes during the call.
pub(crate) unsafe fn bytes<'a>(data: *const c_char, len: usize) -> Result<&'a [u8], Error> {
    // SAFETY: the caller's promise.
    unsafe { bytes_within(data, len, MAX_INPUT_BYTES) }
}

/// The bytes of a request, which may be an input with its envelope; its fields have their own limits.
///
/// # Safety
///
/// As [`bytes`].
pub(crate) unsafe fn request<'a>(data: *const c_char, len: usize) -> Result<&'a [u8], Error> {
    // SAFETY: the caller's promise.
    unsafe { bytes_within(data, len, 8 * MAX_INPUT_BYTES) }
}

/// # Safety
///
/// As [`bytes`].
unsafe fn bytes_within<'a>(data: *const c_char, len: usize, limit: usize) -> Result<&'a [u8], Error> {
    if len > limit {
        return Err(Error::new(ErrorKind::TooLarge, format!("{len} bytes, the limit is {limit}")));
    }
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Error::new(ErrorKind::NullArgument, format!("a null pointer with the length {len}")));
    }
    // SAFETY: not null, and the caller's promise; `len` is far below `isize::MAX`.
    Ok(unsafe { std::slice::from_raw_parts(data.cast(), len) })
}

/// The text of an input.
///
/// # Safety
///
/// As [`bytes`].
pub(crate) unsafe fn text<'a>(data: *const c_char, len: usize) -> Result<&'a str, Error> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { bytes(data, len) }?;
    std::str::from_utf8(bytes).map_err(|error| {
        Error::new(ErrorKind::InvalidUtf8, format!("not UTF-8 from byte {}", error.valid_up_to()))
    })
}

/// A handle that must not be null.
///
/// # Safety
///
/// `handle` is null or came from this library and was not freed.
pub(crate) unsafe fn handle<'a, T>(handle: *const T, what: &str) -> Result<&'a T, Error> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.ok_or_else(|| Error::new(ErrorKind::NullArgument, format!("{what} is null")))
}
