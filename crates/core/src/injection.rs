//! Points at which a test can make a layer panic.
//!
//! Without the feature `fault-injection` a point is an empty inline function; a test looks for the
//! feature's symbol in the released library and fails when it is there.

/// A point named after its layer. Does nothing in a released library.
///
/// # Panics
///
/// Only with the feature `fault-injection`, when a test armed this point with `arm`.
#[inline(always)]
pub fn point(name: &str) {
    #[cfg(feature = "fault-injection")]
    armed::fire(name);
    #[cfg(not(feature = "fault-injection"))]
    let _ = name;
}

#[cfg(feature = "fault-injection")]
pub use armed::arm;

#[cfg(feature = "fault-injection")]
mod armed {
    use std::sync::Mutex;

    static ARMED: Mutex<Option<String>> = Mutex::new(None);

    /// The next time `name` is reached, by any thread, it panics once. `None` disarms.
    pub fn arm(name: Option<&str>) {
        *ARMED.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = name.map(str::to_owned);
    }

    #[allow(clippy::panic, reason = "this is what the feature is for")]
    pub(super) fn fire(name: &str) {
        let mut armed = ARMED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if armed.as_deref() == Some(name) {
            *armed = None;
            drop(armed);
            panic!("injected fault in {name}");
        }
    }
}
