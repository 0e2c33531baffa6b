//! What people read: the plan as it is shown, and what a held call would do.

use crate::answer::{Outside, WarningText};
use crate::texts::text;
use plan_gate_core::{Digest, Language, Plan, ScopeList};
use std::fmt::Write;

/// The plan as the user is to see it: the body, then exactly what would be allowed.
pub(crate) fn plan(language: Language, id: Digest, plan: &Plan, warnings: &[WarningText]) -> String {
    let mut out = text(language, "plan.heading", &[("title", &plan.title)]);
    let _ = write!(out, "\n\n{}\n\n", plan.body.trim_end());
    let key = if plan.scope.is_empty() { "plan.allows_nothing" } else { "plan.allows" };
    out.push_str(&text(language, key, &[]));
    out.push('\n');
    for list in ScopeList::ALL {
        let entries = plan.scope.list(list);
        if entries.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{}", text(language, &format!("list.{}", list.name()), &[]));
        for (index, entry) in entries.iter().enumerate() {
            let _ = writeln!(out, "  {entry}");
            for warning in warnings.iter().filter(|warning| warning.list == list && warning.index == index) {
                let _ = writeln!(out, "    ⚠ {}", warning.text);
            }
        }
    }
    let id = id.to_string();
    let _ =
        write!(out, "\n{}\n{}\n", text(language, "plan.ask", &[]), text(language, "plan.id", &[("id", &id)]));
    out
}

/// What a held call would do, in one line.
pub(crate) fn outside(language: Language, outside: &[Outside], child: Option<&str>) -> String {
    let effects: Vec<String> = outside.iter().map(|one| effect(language, one)).collect();
    let all = effects.join(&text(language, "effect.joint", &[]));
    match child {
        Some(child) => text(language, "effect.by_child", &[("effect", &all), ("child", child)]),
        None => all,
    }
}

fn effect(language: Language, outside: &Outside) -> String {
    let key = format!("effect.{}", outside.kind.name());
    let effect = text(language, &key, &[("value", &outside.value)]);
    match &outside.nearest {
        Some(nearest) => text(language, "effect.nearest", &[("effect", &effect), ("nearest", nearest)]),
        None => effect,
    }
}
