//! The change to a file as a person reads it.

/// A line of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    Same(&'a str),
    Out(&'a str),
    In(&'a str),
    /// Unchanged lines that are not shown.
    Gap,
}

/// Unchanged lines shown around a change.
const AROUND: usize = 3;

/// The difference by lines: the longest common part stays. Configuration files are short, so the plain table does.
pub fn diff<'a>(old: &'a str, new: &'a str) -> Vec<Line<'a>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let head = old.get(..start).unwrap_or_default();
    let tail = old.get(old.len() - end..).unwrap_or_default();
    let (old, new) = (
        old.get(start..old.len() - end).unwrap_or_default(),
        new.get(start..new.len() - end).unwrap_or_default(),
    );
    let mut lines: Vec<Line<'a>> = head.iter().map(|line| Line::Same(line)).collect();
    middle(old, new, &mut lines);
    lines.extend(tail.iter().map(|line| Line::Same(line)));
    fold(&lines)
}

fn middle<'a>(old: &[&'a str], new: &[&'a str], lines: &mut Vec<Line<'a>>) {
    let width = new.len() + 1;
    let mut common = vec![0_u32; (old.len() + 1) * width];
    let at = |table: &[u32], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or(0);
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let best = if a == b {
                at(&common, i + 1, j + 1) + 1
            } else {
                at(&common, i + 1, j).max(at(&common, i, j + 1))
            };
            if let Some(cell) = common.get_mut(i * width + j) {
                *cell = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    loop {
        match (old.get(i), new.get(j)) {
            (Some(a), Some(b)) if a == b => {
                lines.push(Line::Same(a));
                (i, j) = (i + 1, j + 1);
            }
            (Some(a), b) if b.is_none() || at(&common, i + 1, j) >= at(&common, i, j + 1) => {
                lines.push(Line::Out(a));
                i += 1;
            }
            (_, Some(b)) => {
                lines.push(Line::In(b));
                j += 1;
            }
            (_, None) => break,
        }
    }
}

fn fold<'a>(lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let near = |place: usize| {
        let from = place.saturating_sub(AROUND);
        lines.iter().skip(from).take(place - from + AROUND + 1).any(|line| !matches!(line, Line::Same(_)))
    };
    let mut folded = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        if near(place) {
            folded.push(*line);
        } else if folded.last() != Some(&Line::Gap) {
            folded.push(Line::Gap);
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(old: &str, new: &str) -> String {
        let mark = |line: &Line<'_>| match line {
            Line::Same(text) => format!(" {text}"),
            Line::Out(text) => format!("-{text}"),
            Line::In(text) => format!("+{text}"),
            Line::Gap => "~".to_owned(),
        };
        diff(old, new).iter().map(mark).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn says_what_changes_and_a_little_around_it() {
        for (old, new, expected) in [
            ("", "", ""),
            ("a", "a", "~"),
            ("", "a\nb", "+a|+b"),
            ("a\nb", "", "-a|-b"),
            ("a\nb\nc", "a\nx\nc", " a|-b|+x| c"),
            ("1\n2\n3\n4\n5\n6", "1\n2\n3\n4\n5\nx\n6", "~| 3| 4| 5|+x| 6"),
            ("a\nb\na", "b\na\nb", "-a| b| a|+b"),
            ("{\n}", "{\n  x\n}", " {|+  x| }"),
        ] {
            assert_eq!(told(old, new), expected, "{old:?} {new:?}");
        }
    }
}
