//! Gives the shared library its SONAME, whose number is the ABI version, and keeps it loaded: a Rust
//! library that was unloaded can crash the process when a thread ends.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if os == "linux" || os.ends_with("bsd") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libplan_gate.so.1");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    } else if os == "macos" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libplan_gate.1.dylib");
    }
}
