//! Who is who: every live session of a gate, by the digest of its id.

use crate::payload::Carried;
use hashbrown::HashTable;
use plan_gate_core::{Digest, Error, ErrorKind};
use plan_gate_state_machine::{LineageError, Origin, Role, State, admit};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shards, so that sessions on different threads rarely meet at a lock.
const SHARDS: usize = 48;

/// A root session, and the state that its sub-agents share.
///
/// The layout is what a million sessions cost: 56 bytes, and two counters beside it.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) key: Digest,
    pub(crate) state: Mutex<State<Carried>>,
}

/// A session that says it has a parent.
#[derive(Debug)]
pub(crate) struct Below {
    key: Digest,
    pub(crate) id: Box<str>,
    parent: Digest,
    /// `None` for an orphan.
    family: Option<Arc<Family>>,
}

/// A session in its place.
#[derive(Debug, Clone)]
pub(crate) enum Member {
    Root(Arc<Family>),
    Below(Arc<Below>),
}

impl Member {
    pub(crate) fn key(&self) -> Digest {
        match self {
            Self::Root(family) => family.key,
            Self::Below(below) => below.key,
        }
    }

    /// The family it belongs to; an orphan has none.
    pub(crate) fn family(&self) -> Option<&Family> {
        match self {
            Self::Root(family) => Some(family),
            Self::Below(below) => below.family.as_deref(),
        }
    }

    /// The id of a session that has a parent.
    pub(crate) fn child_id(&self) -> Option<&str> {
        match self {
            Self::Root(_) => None,
            Self::Below(below) => Some(&below.id),
        }
    }

    pub(crate) fn origin(&self) -> Origin {
        match self {
            Self::Root(_) => Origin::Root,
            Self::Below(below) if below.family.is_some() => Origin::Child,
            Self::Below(_) => Origin::Orphan,
        }
    }

    fn role(&self) -> Role<Digest> {
        match self {
            Self::Root(_) => Role::Root,
            Self::Below(below) => match &below.family {
                Some(family) => Role::Child { parent: below.parent, root: family.key },
                None => Role::Orphan { parent: below.parent },
            },
        }
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Root(a), Self::Root(b)) => Arc::ptr_eq(a, b),
            (Self::Below(a), Self::Below(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// Roots and sub-agents apart: there are many of the one, and they should be small.
#[derive(Debug, Default)]
struct Shard {
    roots: HashTable<Arc<Family>>,
    below: HashTable<Arc<Below>>,
}

impl Shard {
    fn find(&self, key: Digest) -> Option<Member> {
        let root = self.roots.find(hash(key), |family| family.key == key).map(Arc::clone).map(Member::Root);
        root.or_else(|| {
            self.below.find(hash(key), |below| below.key == key).map(Arc::clone).map(Member::Below)
        })
    }
}

/// All live sessions.
#[derive(Debug)]
pub(crate) struct Registry {
    shards: [Mutex<Shard>; SHARDS],
    /// Held while a sub-agent gets its place, so that two cannot make a cycle between them.
    lineage: Mutex<()>,
}

impl Registry {
    pub(crate) fn new() -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()), lineage: Mutex::default() }
    }

    /// The digest a session is known by. It covers the whole id and is the same in every process.
    pub(crate) fn key_of(id: &str) -> Digest {
        crate::digest::of("plan-gate session", &[id.as_bytes()])
    }

    /// The session with this id; a new root when there is none.
    pub(crate) fn open(&self, id: &str) -> Member {
        let key = Self::key_of(id);
        let mut shard = self.shard(key);
        if let Some(member) = shard.find(key) {
            return member;
        }
        let family = Arc::new(Family { key, state: Mutex::default() });
        shard.roots.insert_unique(hash(key), Arc::clone(&family), |family| hash(family.key));
        Member::Root(family)
    }

    /// The session with this id, if it is live.
    pub(crate) fn find(&self, key: Digest) -> Option<Member> {
        self.shard(key).find(key)
    }

    /// The sub-agent `id` under `parent`.
    pub(crate) fn open_child(&self, id: &str, parent: &str) -> Result<Member, Error> {
        let (key, parent_key) = (Self::key_of(id), Self::key_of(parent));
        let _one_at_a_time = self.lineage.lock().unwrap_or_else(PoisonError::into_inner);
        let role = admit(key, Some(parent_key), |key| self.find(key).map(|member| member.role()))
            .map_err(|error| refuse(error, id, parent))?;
        if let Some(member) = self.find(key) {
            return Ok(member);
        }
        let family = match role {
            Role::Child { root, .. } => match self.find(root) {
                Some(Member::Root(family)) => Some(family),
                // The root was closed a moment ago: what is left has no approval to live under.
                Some(Member::Below(_)) | None => None,
            },
            Role::Root | Role::Orphan { .. } => None,
        };
        let below = Arc::new(Below { key, id: id.into(), parent: parent_key, family });
        let mut shard = self.shard(key);
        // A message may have opened the id as a root since `admit` looked.
        if shard.find(key).is_some() {
            return Err(refuse(LineageError::Conflict, id, parent));
        }
        shard.below.insert_unique(hash(key), Arc::clone(&below), |below| hash(below.key));
        Ok(Member::Below(below))
    }

    /// Forgets a session.
    pub(crate) fn remove(&self, member: &Member) {
        let mut shard = self.shard(member.key());
        if !shard.find(member.key()).is_some_and(|found| found.is(member)) {
            return;
        }
        let hash = hash(member.key());
        if let Ok(entry) = shard.roots.find_entry(hash, |family| family.key == member.key()) {
            entry.remove();
        }
        if let Ok(entry) = shard.below.find_entry(hash, |below| below.key == member.key()) {
            entry.remove();
        }
    }

    /// Number of live sessions.
    pub(crate) fn len(&self) -> usize {
        let one = |shard| {
            let shard = lock(shard);
            shard.roots.len() + shard.below.len()
        };
        self.shards.iter().map(one).sum()
    }

    fn shard(&self, key: Digest) -> MutexGuard<'_, Shard> {
        // The tables use the first eight bytes as hash; the shard is chosen by the last.
        let [.., last] = key.0;
        let [first, ..] = &self.shards;
        lock(self.shards.get(usize::from(last) % SHARDS).unwrap_or(first))
    }
}

/// Nothing that can panic half-way runs under a shard's lock, so a poisoned one is still whole.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A key is a SHA-256 already: any eight bytes of it are a hash.
fn hash(key: Digest) -> u64 {
    u128::from_le_bytes(key.0) as u64
}

fn refuse(error: LineageError, id: &str, parent: &str) -> Error {
    let kind = match error {
        LineageError::Conflict => ErrorKind::LineageConflict,
        LineageError::Cycle => ErrorKind::LineageCycle,
    };
    Error::new(kind, format!("session `{id}` cannot be placed under `{parent}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_stays_small() {
        assert!(size_of::<Family>() <= 56, "{}", size_of::<Family>());
    }

    #[test]
    fn closing_forgets_exactly_the_session_that_is_meant() {
        let registry = Registry::new();
        let old = registry.open("a");
        registry.remove(&old);
        let new = registry.open("a");
        registry.remove(&old);
        assert!(registry.find(new.key()).is_some_and(|found| found.is(&new)));
        assert_eq!(registry.len(), 1);
    }
}
