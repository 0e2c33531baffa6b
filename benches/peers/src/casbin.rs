//! casbin: a policy line an entry, `keyMatch` over paths.

use crate::Engine;
use casbin::{CoreApi, DefaultModel, Enforcer, MemoryAdapter, MgmtApi};

const MODEL: &str = "[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.sub == p.sub && r.act == p.act && keyMatch(r.obj, p.obj)
";

/// An enforcer with every directory.
pub struct KeyMatch {
    enforcer: Enforcer,
}

impl KeyMatch {
    /// Builds it.
    pub fn new(directories: &[String]) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let lines = directories
            .iter()
            .map(|entry| ["s1", &format!("{entry}/*"), "write"].map(str::to_owned).to_vec());
        let lines = lines.collect();
        let enforcer = runtime.block_on(async {
            let model = DefaultModel::from_str(MODEL).await.expect("a model");
            let mut enforcer = Enforcer::new(model, MemoryAdapter::default()).await.expect("an enforcer");
            enforcer.add_policies(lines).await.expect("policies");
            enforcer
        });
        Self { enforcer }
    }
}

impl Engine for KeyMatch {
    fn name(&self) -> &'static str {
        "casbin: keyMatch"
    }

    fn allows(&mut self, path: &str) -> bool {
        self.enforcer.enforce(("s1", path, "write")).expect("an answer")
    }
}
