//! A checksum over the fields of a row, so that a byte that changed on disk cannot turn one state into another.

/// 64-bit FNV-1a over length-prefixed fields. Against accidents only.
pub(crate) fn of(fields: &[Option<&str>]) -> i64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for field in fields {
        match field {
            None => eat(0),
            Some(text) => {
                eat(1);
                text.len().to_le_bytes().into_iter().for_each(&mut eat);
                text.bytes().for_each(&mut eat);
            }
        }
    }
    i64::from_ne_bytes(hash.to_ne_bytes())
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn fields_do_not_run_together() {
        let sums = [
            of(&[Some("ab"), Some("c")]),
            of(&[Some("a"), Some("bc")]),
            of(&[Some("abc"), None]),
            of(&[None, Some("abc")]),
            of(&[Some("abc"), Some("")]),
        ];
        for (i, one) in sums.iter().enumerate() {
            assert!(sums.iter().skip(i + 1).all(|other| other != one), "{sums:?}");
        }
    }
}
