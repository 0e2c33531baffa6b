//! Ids: the first 128 bits of SHA-256 over length-prefixed parts, so that no two contents run together.

use plan_gate_core::Digest;
use sha2::{Digest as _, Sha256};

/// Digest of these parts under a domain, which keeps ids of different things apart.
pub(crate) fn of(domain: &str, parts: &[&[u8]]) -> Digest {
    let mut hash = Sha256::new();
    for part in std::iter::once(&domain.as_bytes()).chain(parts) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let full: [u8; 32] = hash.finalize().into();
    let mut id = [0; 16];
    id.iter_mut().zip(full).for_each(|(to, from)| *to = from);
    Digest(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(of("a", &[b"bc"]), of("a", &[b"b", b"c"]));
        assert_ne!(of("a", &[b"b"]), of("ab", &[]));
        assert_eq!(of("a", &[b"b"]), of("a", &[b"b"]));
    }
}
