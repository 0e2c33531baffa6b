//! The released library, called as a C host calls it: loaded at run time, every call through a pointer.

use libloading::Library as Loaded;
use std::ffi::{c_char, c_void};
use std::path::PathBuf;
use std::{env, fs, ptr};

/// Bits 0-7 of a decision; the header's `PLAN_GATE_VERDICT_ALLOW`.
const ALLOW: u64 = 1;

/// `PLAN_GATE_EFFECT_WRITE`
pub const WRITE: u32 = 2;
/// `PLAN_GATE_EFFECT_EXECUTE`
pub const EXECUTE: u32 = 3;
/// `PLAN_GATE_SOURCE_USER`
pub const USER: u32 = 1;

#[repr(C)]
struct Buf {
    data: *mut c_char,
    len: usize,
    cap: usize,
}

type Handle = *mut c_void;
type New = unsafe extern "C" fn(*const u8, usize, *mut Handle, *mut Buf) -> u32;
type Open = unsafe extern "C" fn(Handle, *const u8, usize, *mut Handle) -> u32;
type Request = unsafe extern "C" fn(Handle, *const u8, usize, *mut Buf) -> u32;
type Check = unsafe extern "C" fn(Handle, *const u8, usize, *const u8, usize) -> u64;
type CheckEffect = unsafe extern "C" fn(Handle, *const u8, usize, u32, *const u8, usize) -> u64;
type Reply = unsafe extern "C" fn(Handle, u32, *const u8, usize, *const u8, usize) -> u64;

/// The functions that are measured. Loaded once and never unloaded.
#[derive(Clone, Copy)]
pub struct Library {
    abi_version: unsafe extern "C" fn() -> u32,
    buf_free: unsafe extern "C" fn(*mut Buf),
    new: New,
    free: unsafe extern "C" fn(Handle),
    open: Open,
    session_free: unsafe extern "C" fn(Handle),
    request: Request,
    check: Check,
    check_effect: CheckEffect,
    reply: Reply,
}

/// A gate of the loaded library.
pub struct Gate {
    library: Library,
    handle: Handle,
}

/// A session of the loaded library.
pub struct Session {
    library: Library,
    handle: Handle,
}

// SAFETY: the header says that any function may be called from any thread.
unsafe impl Send for Gate {}
// SAFETY: as above.
unsafe impl Sync for Gate {}
// SAFETY: as above.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Library {
    /// Loads `PLAN_GATE_LIBRARY`, or the release build of this workspace.
    ///
    /// # Panics
    ///
    /// When there is none, or one of another interface.
    pub fn load() -> Self {
        let path = Self::path();
        assert!(
            fs::exists(&path).unwrap_or(false),
            "no library at `{}`: cargo build --release -p plan-gate-cdylib",
            path.display()
        );
        // SAFETY: the library runs no code when it is loaded, and the types are those of its header.
        let library = unsafe {
            let loaded = Box::leak(Box::new(Loaded::new(&path).expect("the library can be loaded")));
            Self {
                abi_version: function(loaded, "plan_gate_abi_version"),
                buf_free: function(loaded, "plan_gate_buf_free"),
                new: function(loaded, "plan_gate_new"),
                free: function(loaded, "plan_gate_free"),
                open: function(loaded, "plan_gate_session_open"),
                session_free: function(loaded, "plan_gate_session_free"),
                request: function(loaded, "plan_gate_session_request"),
                check: function(loaded, "plan_gate_session_check"),
                check_effect: function(loaded, "plan_gate_session_check_effect"),
                reply: function(loaded, "plan_gate_session_reply"),
            }
        };
        assert_eq!(library.abi_version(), plan_gate_ffi::PLAN_GATE_ABI_VERSION, "another interface");
        library
    }

    /// Where the library is looked for.
    pub fn path() -> PathBuf {
        if let Some(path) = env::var_os("PLAN_GATE_LIBRARY") {
            return path.into();
        }
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target")), PathBuf::from);
        let name = format!("{}plan_gate{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
        target.join("release").join(name)
    }

    /// A call that does nothing.
    pub fn abi_version(&self) -> u32 {
        // SAFETY: no arguments.
        unsafe { (self.abi_version)() }
    }

    /// A gate.
    ///
    /// # Panics
    ///
    /// When the configuration is refused.
    pub fn gate(&self, config: &str) -> Gate {
        let mut handle = ptr::null_mut();
        // SAFETY: pointer and length of a live text; the error buffer may be null.
        let status = unsafe { (self.new)(config.as_ptr(), config.len(), &raw mut handle, ptr::null_mut()) };
        assert_eq!(status, 0, "the configuration is refused");
        Gate { library: *self, handle }
    }
}

/// # Safety
///
/// `F` is the function's type.
unsafe fn function<F: Copy>(library: &Loaded, name: &str) -> F {
    // SAFETY: the caller's promise.
    match unsafe { library.get::<F>(name) } {
        Ok(symbol) => *symbol,
        Err(error) => panic!("the library has no `{name}`: {error}"),
    }
}

impl Gate {
    /// A handle on a session.
    ///
    /// # Panics
    ///
    /// When the id is refused.
    pub fn session(&self, id: &str) -> Session {
        let mut handle = ptr::null_mut();
        // SAFETY: a live gate; pointer and length of a live text.
        let status = unsafe { (self.library.open)(self.handle, id.as_ptr(), id.len(), &raw mut handle) };
        assert_eq!(status, 0, "the session is refused");
        Session { library: self.library, handle }
    }

    /// A session in which this plan was proposed and approved.
    pub fn approved(&self, id: &str, plan: &str) -> Session {
        let session = self.session(id);
        session.approve(plan);
        session
    }
}

impl Session {
    /// Proposes a plan, and approves it as a trusted button would.
    ///
    /// # Panics
    ///
    /// When either is refused.
    pub fn approve(&self, plan: &str) {
        let answer = self.request(&format!(r#"{{"op":"propose","plan":{plan}}}"#));
        let at = answer.find(r#""id":""#).unwrap_or_else(|| panic!("the plan is refused: {answer}"));
        let id = answer.get(at + 6..at + 38).unwrap_or_default();
        let answer = self.request(&format!(r#"{{"op":"settle","id":"{id}","approve":true}}"#));
        assert!(answer.contains("draft_approved"), "{answer}");
    }

    /// The JSON door.
    ///
    /// # Panics
    ///
    /// When the answer is no UTF-8.
    pub fn request(&self, request: &str) -> String {
        let mut buf = Buf { data: ptr::null_mut(), len: 0, cap: 0 };
        // SAFETY: a live session, a live text, a buffer to write to, and freed once.
        unsafe {
            let _ = (self.library.request)(self.handle, request.as_ptr(), request.len(), &raw mut buf);
            let bytes = match buf.data.is_null() {
                true => Vec::new(),
                false => std::slice::from_raw_parts(buf.data.cast::<u8>(), buf.len).to_vec(),
            };
            (self.library.buf_free)(&raw mut buf);
            String::from_utf8(bytes).expect("answers are UTF-8")
        }
    }

    /// A decision about a call with JSON arguments.
    #[inline]
    pub fn check(&self, tool: &str, arguments: &str) -> u64 {
        // SAFETY: a live session, live texts.
        unsafe {
            (self.library.check)(self.handle, tool.as_ptr(), tool.len(), arguments.as_ptr(), arguments.len())
        }
    }

    /// A decision about one effect.
    #[inline]
    pub fn check_effect(&self, tool: &str, kind: u32, value: &str) -> u64 {
        // SAFETY: a live session, live texts.
        unsafe {
            (self.library.check_effect)(
                self.handle,
                tool.as_ptr(),
                tool.len(),
                kind,
                value.as_ptr(),
                value.len(),
            )
        }
    }

    /// The user wrote this.
    #[inline]
    pub fn reply(&self, text: &str) -> u64 {
        // SAFETY: a live session, a live text, no id.
        unsafe { (self.library.reply)(self.handle, USER, text.as_ptr(), text.len(), ptr::null(), 0) }
    }
}

/// Whether a decision lets the call run.
pub fn allows(decision: u64) -> bool {
    decision & 0xff == ALLOW
}

impl Drop for Gate {
    fn drop(&mut self) {
        // SAFETY: made by the library, freed once.
        unsafe { (self.library.free)(self.handle) }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: made by the library, freed once.
        unsafe { (self.library.session_free)(self.handle) }
    }
}
