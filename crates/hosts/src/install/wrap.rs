//! The command line of a hook, closed on its own.

use super::InstallError;
use crate::Host;
use std::path::Path;

/// Stands in everything that we write into a configuration.
pub const MARK: &str = "plan-gate";

/// Seconds that the gate has for one answer. Every host gives its hooks longer.
const SECONDS: u32 = 10;

/// The command line that a host shall run for every event.
///
/// Every host lets a call run when its hook fails in the ordinary way (a crash, a hang, a missing program, silence,
/// half an answer), so the line itself turns all of that into exit 2 with words. It passes on exactly two answers: `{}`,
/// and a whole question to the person (see [`crate::Answer::output`]), each with exit 0. It needs `/bin/sh` and
/// `timeout`; without them it refuses. A host that asks for trust in a hook's exact text must be asked again after any
/// change, so the text stays the same across releases.
pub fn command_line(host: Host, program: &str) -> String {
    let question = if host.facts().can_ask {
        r#" "0{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecisionReason\":\""*"\",\"permissionDecision\":\"ask\"}}") printf %s "$o"; exit 0;;"#
    } else {
        ""
    };
    format!(
        r#"/bin/sh -c 'o=$(timeout -k 1 {SECONDS} "{program}" hook {host}); case "$?$o" in "0{{}}") printf "{{}}"; exit 0;;{question} esac; echo "{MARK}: refused" >&2; exit 2'"#
    )
}

/// The program's path, if it needs no quoting inside two kinds of quotes.
pub(super) fn plain_path(path: &Path) -> Result<String, InstallError> {
    let text = path.to_str().filter(|text| {
        path.is_absolute() && !text.chars().any(|c| c.is_control() || "\"'$`\\!%".contains(c))
    });
    text.map(str::to_owned).ok_or_else(|| {
        InstallError::new(format!(
            "the program's path `{}` cannot stand in a hook's command line; put it at an absolute path without quotes, `$`, `` ` ``, `\\`, `!` and `%`",
            path.display()
        ))
    })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    /// A program that answers as the script says, behind the line; what comes out.
    fn run(host: Host, script: Option<&str>) -> (i32, String, String) {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("a gate");
        if let Some(script) = script {
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let line = command_line(host, program.to_str().unwrap());
        let line = line.replace("-k 1 10", "-k 1 0.5");
        let output = Command::new("sh").args(["-c", &line]).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    #[test]
    fn only_a_proper_answer_passes() {
        let ask = Answer::Ask("it's \"quoted\" $HOME `id`\n100%".to_owned()).output().stdout;
        let cut = ask.strip_suffix("sk\"}}").unwrap().to_owned();
        for host in [Host::ClaudeCode, Host::Codex] {
            let asks = host == Host::ClaudeCode;
            for (script, passes) in [
                ("printf '{}'", true),
                ("echo '{}'", true),
                ("printf '{}'; exit 1", false),
                ("printf '{}'; exit 2", false),
                ("printf '{} '", false),
                ("echo log; printf '{}'", false),
                ("printf ''", false),
                ("printf '['", false),
                ("printf '\\377'", false),
                ("kill -9 $$", false),
                ("sleep 5; printf '{}'", false),
                ("echo why >&2; exit 2", false),
                ("exit 2", false),
                ("cat <<'EOF'\nASK\nEOF", asks),
                ("cat <<'EOF'\nASK\nEOF\nexit 1", false),
                ("cat <<'EOF'\nCUT\nEOF", false),
            ] {
                let script = script.replace("ASK", &ask).replace("CUT", &cut);
                let (code, out, err) = run(host, Some(&script));
                if passes {
                    assert_eq!(code, 0, "{host} {script}");
                    let whole = script.contains("EOF");
                    assert_eq!(out, if whole { ask.as_str() } else { "{}" }, "{host} {script}");
                } else {
                    assert_eq!((code, out.as_str()), (2, ""), "{host} {script}");
                    assert!(err.contains("plan-gate: refused"), "{host} {script}: {err}");
                }
            }
            assert_eq!(run(host, None).0, 2);
        }
    }

    #[test]
    fn the_line_does_not_change_between_releases() {
        assert_eq!(
            command_line(Host::Codex, "/usr/bin/plan-gate"),
            r#"/bin/sh -c 'o=$(timeout -k 1 10 "/usr/bin/plan-gate" hook codex); case "$?$o" in "0{}") printf "{}"; exit 0;; esac; echo "plan-gate: refused" >&2; exit 2'"#
        );
    }

    #[test]
    fn a_path_that_needs_quoting_is_refused() {
        for good in ["/usr/bin/plan-gate", "/home/a b/计划-gate", "/x/(y)~"] {
            assert!(plain_path(Path::new(good)).is_ok(), "{good}");
        }
        for bad in ["plan-gate", "/a'b", "/a\"b", "/a$b", "/a`b", "/a\\b", "/a\nb", "/a%b"] {
            assert!(plain_path(Path::new(bad)).is_err(), "{bad}");
        }
    }
}
