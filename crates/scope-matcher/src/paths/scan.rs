//! Looking at eight bytes of a path at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;
const LOWS: u64 = !HIGHS;

/// The eight bytes from `start` on, the first in the lowest place; past the end zeros.
#[inline]
fn word(bytes: &[u8], start: usize) -> u64 {
    let Some(rest) = bytes.get(start..) else { return 0 };
    match (rest.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(chunk), _) => u64::from_le_bytes(*chunk),
        (None, _) if rest.is_empty() => 0,
        // The last eight bytes of the whole, without those before `start`.
        (None, Some(last)) => u64::from_le_bytes(*last) >> (8 * (8 - rest.len())),
        (None, None) => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// The high bit of every byte that equals `byte`, exactly.
fn equal(word: u64, byte: u8) -> u64 {
    let differs = word ^ (ONES * u64::from(byte));
    !(((differs & LOWS) + LOWS) | differs | LOWS)
}

/// Whether every byte is printable ASCII other than `\`.
#[inline]
pub(super) fn is_usual(bytes: &[u8]) -> bool {
    let mut odd = 0;
    let whole = bytes.len() & !7;
    for start in (0..whole).step_by(8) {
        odd |= odd_bytes(word(bytes, start));
    }
    if whole < bytes.len() {
        // What fills the last word up must be usual too.
        let fill = (ONES << ((bytes.len() - whole) * 8)).wrapping_mul(u64::from(b'0'));
        odd |= odd_bytes(word(bytes, whole) | fill);
    }
    odd == 0
}

/// Something in the high bits if a byte is a control character, DEL, `\` or not ASCII. May point at the
/// wrong byte, never at none.
fn odd_bytes(word: u64) -> u64 {
    let below_blank = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
    (below_blank | word | equal(word, 0x7f) | equal(word, b'\\')) & HIGHS
}

/// The ends of the segments of a path: the place of every `/`, then its length.
pub(super) struct Ends<'a> {
    bytes: &'a [u8],
    /// The place of the word in `mask`.
    base: usize,
    mask: u64,
    done: bool,
}

impl<'a> Ends<'a> {
    #[inline]
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, base: 0, mask: equal(word(bytes, 0), b'/'), done: false }
    }
}

impl Iterator for Ends<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.mask == 0 {
            self.base += 8;
            if self.base >= self.bytes.len() {
                let first = !self.done;
                self.done = true;
                return first.then_some(self.bytes.len());
            }
            self.mask = equal(word(self.bytes, self.base), b'/');
        }
        let end = self.base + self.mask.trailing_zeros() as usize / 8;
        self.mask &= self.mask - 1;
        Some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_in_every_place_is_seen() {
        for length in 1..20 {
            for place in 0..length {
                for byte in 0..=255_u8 {
                    let mut text = vec![b'a'; length];
                    text[place] = byte;
                    let usual = (b' '..0x7f).contains(&byte) && byte != b'\\';
                    assert_eq!(is_usual(&text), usual, "{text:?}");
                }
            }
        }
        assert!(is_usual(b""));
    }

    #[test]
    fn ends_are_those_of_split() {
        for text in [
            "",
            "/",
            "a",
            "a/b",
            "//",
            "/a/",
            "abcdefg/",
            "abcdefgh/i",
            "a/b/c/d/e/f/g/h/i/j",
            "\u{e9}/\u{e9}/\u{e9}/x",
        ] {
            let mut end = 0;
            let expected: Vec<usize> = text
                .split('/')
                .map(|segment| {
                    end += segment.len() + 1;
                    end - 1
                })
                .collect();
            assert_eq!(Ends::new(text.as_bytes()).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
