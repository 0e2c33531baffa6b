//! Programs that wait for input.
//!
//! On some hosts what the model types into a program that already runs reaches no hook. A shell or interpreter that was
//! started once would then take any command, unseen. So a call that starts one is refused there, whatever the plan says.

use crate::Facts;

/// The program that would wait for commands, if `command` starts one.
///
/// By words alone, and on the safe side: the line is cut at separators, brackets and quotes, and a piece that begins with
/// such a program counts unless a plain argument (a script, a query) follows, or when it asks to stay interactive.
pub(super) fn waits_for_input<'a>(facts: &'a Facts, command: &str) -> Option<&'a str> {
    let piece_ends = |c: char| ";|&\n()`'\"{}<>".contains(c);
    command.split(piece_ends).find_map(|piece| {
        let mut words = piece.split_whitespace().skip_while(|word| word.contains('=') || *word == "exec");
        let first = words.next()?;
        let name = first.rsplit(['/', '\\']).next().unwrap_or(first);
        let known = facts.interactive.iter().find(|known| known.as_str() == name)?;
        let (mut plain, mut stays) = (false, false);
        for word in words {
            plain |= !word.starts_with('-');
            stays |= word == "--interactive"
                || (word.starts_with('-') && !word.starts_with("--") && word.contains('i'));
        }
        // `sh -c '…'` was cut at the quote: what is quoted is the next piece.
        let quoted = piece.trim_end().ends_with("-c") || piece.trim_end().ends_with("-e");
        (stays || (!plain && !quoted)).then_some(known.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Host;

    #[test]
    fn shells_and_interpreters_that_would_wait() {
        let facts = Host::Codex.facts();
        for (command, program) in [
            ("bash", Some("bash")),
            ("/usr/bin/bash --norc", Some("bash")),
            ("python3 -i", Some("python3")),
            ("python3 -i script.py", Some("python3")),
            ("cd x && python3", Some("python3")),
            ("A=1 exec sh", Some("sh")),
            ("sh -c 'python3'", Some("python3")),
            ("sh -c \"bash\"", Some("bash")),
            ("(node)", Some("node")),
            ("echo x | bash", Some("bash")),
            ("bash script.sh", None),
            ("sh -c 'make all'", None),
            ("python3 -c 'print(1)'", None),
            ("node -e '1'", None),
            ("python3 test.py -v", None),
            ("make", None),
            ("grep bash README", None),
            ("cat bash", None),
        ] {
            assert_eq!(waits_for_input(facts, command), program, "{command}");
        }
        assert_eq!(waits_for_input(Host::ClaudeCode.facts(), "bash"), None);
    }
}
