//! cedar-policy: a policy for each entry (how a harness would add approved entries one by one), and one
//! policy over a hierarchy of directories (the idiomatic form).

use crate::Engine;
use cedar_policy::{
    Authorizer, Context, Decision, Entities, Entity, EntityId, EntityTypeName, EntityUid, PolicySet, Request,
    RestrictedExpression,
};
use plan_gate_benches::questions::Ask;
use std::collections::HashMap;
use std::str::FromStr;

/// Both forms, each with requests (and entities) made beforehand and made for each question.
pub fn engines(directories: &[String], asks: &[Ask]) -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    for prepared in [true, false] {
        engines.push(Box::new(Like::new(directories, asks, prepared)));
        engines.push(Box::new(Hierarchy::new(directories, asks, prepared)));
    }
    engines
}

fn uid(text: &str) -> EntityUid {
    EntityUid::from_str(text).expect("an entity")
}

struct Like {
    policies: PolicySet,
    entities: Entities,
    authorizer: Authorizer,
    ids: [EntityUid; 3],
    prepared: HashMap<String, Request>,
}

impl Like {
    fn new(directories: &[String], asks: &[Ask], prepared: bool) -> Self {
        let policy = |entry: &String| {
            format!(
                r#"permit(principal, action == Action::"write", resource)
                   when {{ context.path like "{entry}/*" || context.path == "{entry}" }};"#
            )
        };
        let text: String = directories.iter().map(policy).collect();
        let ids = [r#"Session::"s1""#, r#"Action::"write""#, r#"Tool::"write""#].map(uid);
        let mut like = Self {
            policies: PolicySet::from_str(&text).expect("policies"),
            entities: Entities::empty(),
            authorizer: Authorizer::new(),
            ids,
            prepared: HashMap::new(),
        };
        if prepared {
            like.prepared = asks.iter().map(|ask| (ask.path.clone(), like.request(&ask.path))).collect();
        }
        like
    }

    fn request(&self, path: &str) -> Request {
        let path = RestrictedExpression::new_string(path.to_owned());
        let context = Context::from_pairs([("path".to_owned(), path)]).expect("a context");
        let [principal, action, resource] = self.ids.clone();
        Request::new(principal, action, resource, context, None).expect("a request")
    }
}

impl Engine for Like {
    fn name(&self) -> &'static str {
        match self.prepared.is_empty() {
            false => "cedar-policy: a `like` policy an entry, request prepared",
            true => "cedar-policy: a `like` policy an entry, request per call",
        }
    }

    fn allows(&mut self, path: &str) -> bool {
        let made;
        let request = match self.prepared.get(path) {
            Some(request) => request,
            None => {
                made = self.request(path);
                &made
            }
        };
        self.authorizer.is_authorized(request, &self.policies, &self.entities).decision() == Decision::Allow
    }
}

struct Hierarchy {
    policies: PolicySet,
    authorizer: Authorizer,
    ids: [EntityUid; 2],
    file: EntityTypeName,
    directory: EntityTypeName,
    prepared: HashMap<String, (Request, Entities)>,
}

impl Hierarchy {
    fn new(directories: &[String], asks: &[Ask], prepared: bool) -> Self {
        let list: Vec<String> = directories.iter().map(|entry| format!(r#"Dir::"{entry}""#)).collect();
        let text = format!(
            r#"permit(principal, action == Action::"write", resource) when {{ resource in [{}] }};"#,
            list.join(",")
        );
        let name = |text| EntityTypeName::from_str(text).expect("a type");
        let mut hierarchy = Self {
            policies: PolicySet::from_str(&text).expect("a policy"),
            authorizer: Authorizer::new(),
            ids: [r#"Session::"s1""#, r#"Action::"write""#].map(uid),
            file: name("File"),
            directory: name("Dir"),
            prepared: HashMap::new(),
        };
        if prepared {
            hierarchy.prepared =
                asks.iter().map(|ask| (ask.path.clone(), hierarchy.question(&ask.path))).collect();
        }
        hierarchy
    }

    /// The request, and the file with every directory above it.
    fn question(&self, path: &str) -> (Request, Entities) {
        let file = EntityUid::from_type_name_and_id(self.file.clone(), EntityId::new(path));
        let above = path.match_indices('/').rev().map(|(slash, _)| &path[..slash]);
        let above: Vec<EntityUid> = above
            .map(|part| EntityUid::from_type_name_and_id(self.directory.clone(), EntityId::new(part)))
            .collect();
        let chain = std::iter::once(&file).chain(&above).zip(above.iter().map(Some).chain([None]));
        let entities = chain
            .map(|(one, parent)| Entity::new_no_attrs(one.clone(), parent.into_iter().cloned().collect()));
        let entities = Entities::from_entities(entities, None).expect("entities");
        let [principal, action] = self.ids.clone();
        let request = Request::new(principal, action, file, Context::empty(), None).expect("a request");
        (request, entities)
    }
}

impl Engine for Hierarchy {
    fn name(&self) -> &'static str {
        match self.prepared.is_empty() {
            false => "cedar-policy: one policy `in [..]`, request and entities prepared",
            true => "cedar-policy: one policy `in [..]`, request and entities per call",
        }
    }

    fn allows(&mut self, path: &str) -> bool {
        let made;
        let (request, entities) = match self.prepared.get(path) {
            Some(prepared) => prepared,
            None => {
                made = self.question(path);
                &made
            }
        };
        self.authorizer.is_authorized(request, &self.policies, entities).decision() == Decision::Allow
    }
}
