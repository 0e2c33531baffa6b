//! Who is who: every live session of a gate, by the digest of its id.

use crate::payload::Carried;
use hashbrown::HashTable;
use plan_gate_core::{Digest, Error, ErrorKind};
use plan_gate_state_machine::{LineageError, Role, State, admit};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shards, so that sessions on different threads rarely meet at a lock.
const SHARDS: usize = 64;

type Shard = Mutex<HashTable<Arc<Node>>>;

/// One session. Only a root's `state` is used: a family shares it.
///
/// The layout is what a million sessions cost; what is rare is behind one pointer.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) key: Digest,
    below: Option<Box<Below>>,
    pub(crate) state: Mutex<State<Carried>>,
}

/// A session that says it has a parent.
#[derive(Debug)]
struct Below {
    id: Box<str>,
    parent: Digest,
    /// `None` for an orphan.
    root: Option<Arc<Node>>,
}

impl Node {
    fn role(&self) -> Role<Digest> {
        match &self.below {
            None => Role::Root,
            Some(below) => match &below.root {
                Some(root) => Role::Child { parent: below.parent, root: root.key },
                None => Role::Orphan { parent: below.parent },
            },
        }
    }

    /// The session whose state this one lives under: its root's, or its own.
    pub(crate) fn root(&self) -> &Self {
        self.below.as_ref().and_then(|below| below.root.as_deref()).unwrap_or(self)
    }

    /// The id of a session that has a parent.
    pub(crate) fn child_id(&self) -> Option<&str> {
        self.below.as_ref().map(|below| &*below.id)
    }

    pub(crate) fn is_orphan(&self) -> bool {
        self.below.as_ref().is_some_and(|below| below.root.is_none())
    }
}

/// All live sessions.
#[derive(Debug)]
pub(crate) struct Registry {
    shards: [Shard; SHARDS],
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
    pub(crate) fn open(&self, id: &str) -> Arc<Node> {
        let key = Self::key_of(id);
        let mut shard = self.shard(key);
        if let Some(node) = shard.find(hash(key), |node| node.key == key) {
            return Arc::clone(node);
        }
        let node = Arc::new(Node { key, below: None, state: Mutex::default() });
        shard.insert_unique(hash(key), Arc::clone(&node), |node| hash(node.key));
        node
    }

    /// The session with this id, if it is live.
    pub(crate) fn find(&self, key: Digest) -> Option<Arc<Node>> {
        self.shard(key).find(hash(key), |node| node.key == key).map(Arc::clone)
    }

    /// The sub-agent `id` under `parent`.
    pub(crate) fn open_child(&self, id: &str, parent: &str) -> Result<Arc<Node>, Error> {
        let (key, parent_key) = (Self::key_of(id), Self::key_of(parent));
        let _one_at_a_time = self.lineage.lock().unwrap_or_else(PoisonError::into_inner);
        let role = admit(key, Some(parent_key), |key| self.find(key).map(|node| node.role()))
            .map_err(|error| refuse(error, id, parent))?;
        if let Some(node) = self.find(key) {
            return Ok(node);
        }
        let root = match role {
            Role::Child { root, .. } => self.find(root),
            Role::Root | Role::Orphan { .. } => None,
        };
        let below = Box::new(Below { id: id.into(), parent: parent_key, root });
        let node = Arc::new(Node { key, below: Some(below), state: Mutex::default() });
        let mut shard = self.shard(key);
        // A message may have opened the id as a root since `admit` looked.
        if shard.find(hash(key), |node| node.key == key).is_some() {
            return Err(refuse(LineageError::Conflict, id, parent));
        }
        shard.insert_unique(hash(key), Arc::clone(&node), |node| hash(node.key));
        Ok(node)
    }

    /// Forgets a session.
    pub(crate) fn remove(&self, node: &Arc<Node>) {
        let mut shard = self.shard(node.key);
        if let Ok(entry) = shard.find_entry(hash(node.key), |other| Arc::ptr_eq(other, node)) {
            entry.remove();
        }
    }

    /// Number of live sessions.
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).len()).sum()
    }

    fn shard(&self, key: Digest) -> MutexGuard<'_, HashTable<Arc<Node>>> {
        // The table uses the low eight bytes as hash; the shard is chosen by one of the others.
        let [.., last] = key.0;
        let index = usize::from(last) % SHARDS;
        let [first, ..] = &self.shards;
        lock(self.shards.get(index).unwrap_or(first))
    }
}

/// Nothing that can panic half-way runs under a shard's lock, so a poisoned one is still whole.
fn lock(shard: &Shard) -> MutexGuard<'_, HashTable<Arc<Node>>> {
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
