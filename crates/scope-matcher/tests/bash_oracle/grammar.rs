//! Lines from a grammar of everything the splitter claims to read, and mutations of lines.
//!
//! No line holds a `/` unless the caller's words do: nothing outside the throw-away directory has a name.

use crate::random::Random;

/// What lines are made of.
pub struct Pool {
    /// Commands with arguments, as simple commands stand in a line.
    pub commands: &'static [&'static str],
    /// Directories for `cd`; empty for none.
    pub directories: &'static [&'static str],
    /// Files for redirections.
    pub files: &'static [&'static str],
    /// Further arguments.
    pub words: &'static [&'static str],
}

/// What mutations put into lines.
const TOKENS: &[&str] = &[
    ";",
    "&",
    "|",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "$",
    "`",
    "\"",
    "'",
    "\\",
    "\n",
    " ",
    "\t",
    "#",
    "!",
    "=",
    "[",
    "]",
    "~",
    "*",
    "?",
    ",",
    "&&",
    "||",
    "|&",
    ";;",
    ";&",
    "<<",
    "<<<",
    ">>",
    ">&",
    "&>",
    ">|",
    "<>",
    "2>",
    "1",
    "$(",
    "${",
    ":-",
    "$((",
    "))",
    "((",
    "<(",
    ">(",
    " if ",
    " then ",
    " else ",
    " fi",
    " for i in ",
    " do ",
    " done",
    " while ",
    " until ",
    " case x in ",
    " esac",
    " in ",
    " { ",
    " }",
    " [[ ",
    " ]] ",
    " time ",
    " ! ",
    " coproc ",
    " function f ",
    " select i in ",
    "f() ",
    "x=",
    "x+=",
    "a[0]=",
    "x=(",
    "\\\n",
    "<<E\n",
    "\nE\n",
    "<<'E'\n",
    "<<-E\n\t",
    "-",
    "--",
    "{a,b}",
    "{1..2}",
    "$x",
    "\"$x\"",
    "${x}",
    "$@",
    "$'",
    "$\"",
    "@(",
    "+(",
    "!(",
    "@",
    ":",
    "%",
    "^",
    "é",
    "\u{3000}",
    " eval ",
    " trap ",
    " exec ",
    " command ",
    " builtin ",
    " let ",
    " export ",
    " declare ",
    " local ",
    " read ",
    " set ",
    " shift ",
    " break ",
    " return ",
    " exit ",
];

pub struct Grammar<'r> {
    random: &'r mut Random,
    pool: &'r Pool,
    documents: u32,
}

impl<'r> Grammar<'r> {
    pub fn new(random: &'r mut Random, pool: &'r Pool) -> Self {
        Self { random, pool, documents: 0 }
    }

    /// A whole line.
    pub fn line(&mut self) -> String {
        let depth = 1 + self.random.below(3) as u32;
        let line = self.list(depth);
        if self.random.chance(5) {
            format!("{line} # note; {}", self.random.pick(self.pool.commands))
        } else {
            line
        }
    }

    fn list(&mut self, depth: u32) -> String {
        let mut line = self.pipeline(depth);
        for _ in 0..self.random.below(3) {
            let joint =
                self.random.pick(&[" && ", " || ", "; ", " & ", "\n", " ;", " &&\n", "&&", "||", ";"]);
            line.push_str(joint);
            line.push_str(&self.pipeline(depth));
        }
        line
    }

    fn pipeline(&mut self, depth: u32) -> String {
        let mut line = String::new();
        if self.random.chance(6) {
            line.push_str(self.random.pick(&["! ", "time ", "time -p ", "! ! ", "time ! "]));
        }
        line.push_str(&self.command(depth));
        while self.random.chance(15) {
            line.push_str(self.random.pick(&[" | ", " |& ", "|", " |\n"]));
            line.push_str(&self.command(depth));
        }
        line
    }

    fn command(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(55) {
            return self.simple(depth);
        }
        let d = depth - 1;
        let body = match self.random.below(14) {
            0 => format!("({})", self.list(d)),
            1 => format!("( {} )", self.list(d)),
            2 => format!("{{ {}; }}", self.list(d)),
            3 => format!("if {}; then {}; fi", self.list(d), self.list(d)),
            4 => format!("if {}\nthen {}\nelse {}\nfi", self.list(d), self.list(d), self.list(d)),
            5 => format!(
                "if {}; then {}; elif {}; then {}; else {}; fi",
                self.list(d),
                self.list(d),
                self.simple(d),
                self.list(d),
                self.simple(d)
            ),
            6 => format!("for i in {} {}; do {}; done", self.word(d), self.word(d), self.list(d)),
            7 => format!("for ((j=0;j<2;j++)); do {}; done", self.list(d)),
            8 => format!("while {}; do {}; break; done", self.list(d), self.list(d)),
            9 => format!("until {}; do {}; break; done", self.list(d), self.list(d)),
            10 => format!("case {} in a|b) {};; *) {};; esac", self.word(d), self.list(d), self.list(d)),
            11 => format!("[[ {} == {} && -n {} ]]", self.word(d), self.word(d), self.word(d)),
            12 => format!("f() {{ {}; }}; f {}", self.list(d), self.word(d)),
            _ => format!("(( x + {} ))", self.number(d)),
        };
        if self.random.chance(20) { format!("{body} {}", self.redirect(d)) } else { body }
    }

    fn number(&mut self, depth: u32) -> String {
        match self.random.below(4) {
            0 => format!("$({})", self.simple(depth)),
            1 => "${#x}".to_owned(),
            2 => "x".to_owned(),
            _ => self.random.below(9).to_string(),
        }
    }

    fn simple(&mut self, depth: u32) -> String {
        if !self.pool.directories.is_empty() && self.random.chance(12) {
            return format!("cd {}", self.random.pick(self.pool.directories));
        }
        let mut line = String::new();
        if self.random.chance(4) {
            line.push_str(&format!("x={} ", self.word(depth)));
            if self.random.chance(50) {
                return line.trim_end().to_owned();
            }
        }
        line.push_str(self.random.pick(self.pool.commands));
        for _ in 0..self.random.below(3) {
            line.push(' ');
            line.push_str(&self.word(depth));
        }
        if self.random.chance(18) {
            line.push(' ');
            line.push_str(&self.redirect(depth));
        }
        line
    }

    fn redirect(&mut self, depth: u32) -> String {
        let file = self.random.pick(self.pool.files);
        match self.random.below(16) {
            0 | 1 => format!("> {file}"),
            2 => format!(">>{file}"),
            3 => format!("2> {file}"),
            4 => format!("&> {file}"),
            5 => "2>&1".to_owned(),
            6 => format!(">| {file}"),
            7 => format!("<> {file}"),
            8 => "< in1".to_owned(),
            9 => format!("<<< {}", self.word(depth)),
            10 | 11 => {
                self.documents += 1;
                let mark = format!("E{}", self.documents);
                let quote = self.random.pick(&["", "'"]);
                let body = format!("text {} \"$x\" it's", self.word(depth.min(1)));
                format!("<<{quote}{mark}{quote}\n{body}\n{mark}\n")
            }
            12 => format!("< <({})", self.simple(depth)),
            13 => format!("> >({})", self.simple(depth)),
            14 => format!("2>/dev/null > {file}"),
            _ => format!(">& {file}"),
        }
    }

    fn word(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(45) {
            return self.random.pick(self.pool.words).to_owned();
        }
        let d = depth - 1;
        match self.random.below(22) {
            0 => format!("$({})", self.list(d)),
            1 => format!("\"$({})\"", self.list(d)),
            2 => format!("`{}`", self.random.pick(self.pool.commands)),
            3 => format!("\"a `{}` b\"", self.random.pick(self.pool.commands)),
            4 => format!("\"{} $x ${{x}}\"", self.random.pick(self.pool.words)),
            5 => "$x".to_owned(),
            6 => format!("${{x:-{}}}", self.word(d)),
            7 => format!("\"${{x:-{}}}\"", self.word(d)),
            8 => "${x#a}${x%%b*}".to_owned(),
            9 => format!("$(({} + 1))", self.number(d)),
            10 => "{a,b}".to_owned(),
            11 => format!("{{a,$({})}}", self.simple(d)),
            12 => "*".to_owned(),
            13 => "in?".to_owned(),
            14 => format!("<({})", self.list(d)),
            15 => "$'a\\'b\\n'".to_owned(),
            16 => "'a; b && $(c)'".to_owned(),
            17 => "a\\ b\\;".to_owned(),
            18 => format!("pre{}post", self.word(d)),
            19 => "\"a;b|c\"".to_owned(),
            20 => "${x/a/b}".to_owned(),
            _ => "\"$@\"".to_owned(),
        }
    }
}

/// A few random changes to a line.
pub fn mutate(random: &mut Random, line: &str, others: &[String]) -> String {
    let mut line = line.to_owned();
    for _ in 0..1 + random.below(3) {
        let mut places: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
        places.push(line.len());
        let at = places[random.below(places.len())];
        match random.below(10) {
            0..=5 => line.insert_str(at, random.pick(TOKENS)),
            6 => {
                line.truncate(at);
            }
            7 => {
                if let Some(c) = line[at..].chars().next() {
                    line.replace_range(at..at + c.len_utf8(), "");
                }
            }
            8 => {
                let other = &others[random.below(others.len())];
                line.insert_str(at, other);
            }
            _ => {
                let to = places[random.below(places.len())];
                let piece = line[at.min(to)..at.max(to)].to_owned();
                line.insert_str(at, &piece);
            }
        }
        if line.len() > 600 {
            let mut end = 600;
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            line.truncate(end);
        }
    }
    line
}
