//! Text that goes out.

use std::ffi::c_char;
use std::ptr;

/// Bytes owned by the library: free them with plan_gate_buf_free, never with free(). `data` is null
/// after an answer without text, and otherwise `data[len]` is 0.
#[repr(C)]
#[allow(non_camel_case_types, reason = "the name callers see in C")]
pub struct plan_gate_buf {
    /// The bytes, UTF-8.
    pub data: *mut c_char,
    /// Their number, without the closing 0.
    pub len: usize,
    /// For the library; leave alone.
    pub cap: usize,
}

impl plan_gate_buf {
    const EMPTY: Self = Self { data: ptr::null_mut(), len: 0, cap: 0 };

    /// Empties `buf` without freeing what was in it: an uninitialised struct is a legal input.
    ///
    /// # Safety
    ///
    /// `buf` is null or points to a `plan_gate_buf` that may be overwritten.
    pub(crate) unsafe fn clear(buf: *mut Self) {
        if !buf.is_null() {
            // SAFETY: not null, and the caller's promise.
            unsafe { buf.write(Self::EMPTY) };
        }
    }

    /// Hands `text` over to the caller.
    ///
    /// # Safety
    ///
    /// As [`plan_gate_buf::clear`].
    pub(crate) unsafe fn write(buf: *mut Self, text: String) {
        if buf.is_null() || text.is_empty() {
            return;
        }
        let mut bytes = text.into_bytes();
        let len = bytes.len();
        bytes.push(0);
        let mut bytes = std::mem::ManuallyDrop::new(bytes);
        let out = Self { data: bytes.as_mut_ptr().cast(), len, cap: bytes.capacity() };
        // SAFETY: not null, and the caller's promise.
        unsafe { buf.write(out) };
    }
}

/// Frees the bytes and empties the struct; a second call does nothing. NULL is ignored.
///
/// # Safety
///
/// `buf` is null or was filled by this library and its fields were not changed since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_buf_free(buf: *mut plan_gate_buf) {
    // SAFETY: the caller's promise.
    let Some(buf) = (unsafe { buf.as_mut() }) else { return };
    let taken = std::mem::replace(buf, plan_gate_buf::EMPTY);
    if !taken.data.is_null() {
        // SAFETY: `write` made it from a vector of this length (and its closing 0) and capacity.
        drop(unsafe { Vec::from_raw_parts(taken.data.cast::<u8>(), taken.len + 1, taken.cap) });
    }
}
