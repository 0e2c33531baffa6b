//! Who belongs to which family.

use std::fmt;

/// A session's place. It never changes once given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role<K> {
    /// The user talks to it.
    Root,
    /// A sub-agent: its direct parent and the root of its family.
    Child {
        /// Who started it.
        parent: K,
        /// Whose approval it lives under.
        root: K,
    },
    /// It claims a parent nobody knew when it appeared.
    Orphan {
        /// The claimed parent.
        parent: K,
    },
}

/// A place that cannot be given. Nothing changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineageError {
    /// The session has another place already.
    Conflict,
    /// The session would descend from itself.
    Cycle,
}

impl fmt::Display for LineageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conflict => "the session already has another place in the family",
            Self::Cycle => "a session cannot descend from itself",
        })
    }
}

impl std::error::Error for LineageError {}

/// The place of session `id` when it appears as a root (`parent` is `None`) or under `parent`.
///
/// `role_of` knows the places given so far. A session that has its place keeps it: the same request
/// again answers the same, another one is a conflict. An unknown parent makes an orphan, for ever, and
/// so does a parent that is one.
///
/// # Errors
///
/// [`LineageError`]; nothing changes.
pub fn admit<K: Copy + Eq>(
    id: K,
    parent: Option<K>,
    role_of: impl Fn(K) -> Option<Role<K>>,
) -> Result<Role<K>, LineageError> {
    let Some(parent) = parent else {
        return match role_of(id) {
            None | Some(Role::Root) => Ok(Role::Root),
            Some(_) => Err(LineageError::Conflict),
        };
    };
    if parent == id || descends(parent, id, &role_of) {
        return Err(LineageError::Cycle);
    }
    match role_of(id) {
        Some(role @ (Role::Child { parent: known, .. } | Role::Orphan { parent: known })) => {
            if known == parent { Ok(role) } else { Err(LineageError::Conflict) }
        }
        Some(Role::Root) => Err(LineageError::Conflict),
        None => Ok(match role_of(parent) {
            Some(Role::Root) => Role::Child { parent, root: parent },
            Some(Role::Child { root, .. }) => Role::Child { parent, root },
            Some(Role::Orphan { .. }) | None => Role::Orphan { parent },
        }),
    }
}

/// Whether `id` stands above `from`. Places are given one at a time and checked here, so the known
/// links hold no cycle and the walk ends.
fn descends<K: Copy + Eq>(from: K, id: K, role_of: &impl Fn(K) -> Option<Role<K>>) -> bool {
    let mut at = from;
    while let Some(Role::Child { parent, .. } | Role::Orphan { parent }) = role_of(at) {
        if parent == id {
            return true;
        }
        at = parent;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn spawn(
        known: &mut HashMap<u8, Role<u8>>,
        id: u8,
        parent: Option<u8>,
    ) -> Result<Role<u8>, LineageError> {
        let role = admit(id, parent, |key| known.get(&key).copied())?;
        known.insert(id, role);
        Ok(role)
    }

    #[test]
    fn places_are_given_once() {
        let mut known = HashMap::new();
        assert_eq!(spawn(&mut known, 1, None), Ok(Role::Root));
        let child = Role::Child { parent: 1, root: 1 };
        assert_eq!(spawn(&mut known, 2, Some(1)), Ok(child));
        assert_eq!(spawn(&mut known, 2, Some(1)), Ok(child));
        assert_eq!(spawn(&mut known, 3, Some(2)), Ok(Role::Child { parent: 2, root: 1 }));
        assert_eq!(spawn(&mut known, 2, None), Err(LineageError::Conflict));
        assert_eq!(spawn(&mut known, 3, Some(1)), Err(LineageError::Conflict));
        assert_eq!(spawn(&mut known, 1, Some(4)), Err(LineageError::Conflict));
        assert_eq!(spawn(&mut known, 1, Some(3)), Err(LineageError::Cycle));
        assert_eq!(spawn(&mut known, 1, Some(1)), Err(LineageError::Cycle));
    }

    #[test]
    fn an_orphan_stays_one_when_its_parent_appears() {
        let mut known = HashMap::new();
        assert_eq!(spawn(&mut known, 5, Some(6)), Ok(Role::Orphan { parent: 6 }));
        assert_eq!(spawn(&mut known, 7, Some(5)), Ok(Role::Orphan { parent: 5 }));
        assert_eq!(spawn(&mut known, 6, Some(7)), Err(LineageError::Cycle));
        assert_eq!(spawn(&mut known, 6, None), Ok(Role::Root));
        assert_eq!(spawn(&mut known, 5, Some(6)), Ok(Role::Orphan { parent: 6 }));
    }
}
