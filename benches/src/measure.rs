//! Measuring on a machine that others use too: everything that is compared runs in turns, a short batch
//! each, round after round, and ratios are taken within a round before their median is. Time is what the
//! thread spent on a processor, so that waiting for one is nobody's cost.

use std::hint::black_box;
use std::time::Duration;

/// How long one batch takes, and how many rounds there are.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Time of one batch.
    pub batch: Duration,
    /// Rounds over all rows.
    pub rounds: usize,
}

impl Effort {
    /// The whole report.
    pub const FULL: Self = Self { batch: Duration::from_millis(3), rounds: 41 };
    /// A look.
    pub const QUICK: Self = Self { batch: Duration::from_micros(500), rounds: 11 };
}

/// What runs in turns.
pub struct Race<'a> {
    rows: Vec<(String, Runner<'a>)>,
}

type Runner<'a> = Box<dyn FnMut(u64) -> Duration + 'a>;

/// What came out: nanoseconds of one call, a column for each round.
#[derive(Debug, Clone)]
pub struct Times {
    rows: Vec<(String, Vec<f64>)>,
}

impl<'a> Race<'a> {
    /// Nobody runs yet.
    #[expect(clippy::new_without_default, reason = "an empty race is no default of anything")]
    pub fn new() -> Self {
        Self { rows: Vec::new() }
    }

    /// One more that runs. `body` is called many times; what it gives is kept from the optimiser.
    pub fn add<R>(&mut self, name: impl Into<String>, mut body: impl FnMut() -> R + 'a) -> &mut Self {
        let runner = move |times: u64| {
            let start = on_processor();
            for _ in 0..times {
                black_box(body());
            }
            on_processor().saturating_sub(start)
        };
        self.rows.push((name.into(), Box::new(runner)));
        self
    }

    /// Runs all of them in turns.
    pub fn run(mut self, effort: Effort) -> Times {
        let calls: Vec<u64> = self.rows.iter_mut().map(|(_, row)| calls_for(row, effort.batch)).collect();
        let mut times: Vec<(String, Vec<f64>)> =
            self.rows.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
        for _ in 0..effort.rounds {
            for (((_, row), calls), (_, column)) in self.rows.iter_mut().zip(&calls).zip(&mut times) {
                column.push(row(*calls).as_nanos() as f64 / *calls as f64);
            }
        }
        Times { rows: times }
    }
}

/// What this thread has spent on a processor.
#[cfg(unix)]
fn on_processor() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a clock that every thread has, and a place to write to.
    let done = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(done, 0, "this system has no clock for a thread");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// What has passed: elsewhere the machine must be quiet.
#[cfg(not(unix))]
fn on_processor() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// How many calls fill a batch. Warms up on the way.
fn calls_for(row: &mut Runner<'_>, batch: Duration) -> u64 {
    let mut calls = 1_u64;
    loop {
        let took = row(calls);
        if took >= batch / 2 || calls >= 1 << 32 {
            let wanted = calls as f64 * batch.as_secs_f64() / took.as_secs_f64().max(1e-9);
            return (wanted as u64).max(1);
        }
        calls *= 2;
    }
}

impl Times {
    fn column(&self, name: &str) -> &[f64] {
        match self.rows.iter().find(|(row, _)| row == name) {
            Some((_, column)) => column,
            None => panic!("nobody called `{name}` ran"),
        }
    }

    /// Names in the order in which they ran.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|(name, _)| name.as_str())
    }

    /// Median nanoseconds of one call.
    ///
    /// # Panics
    ///
    /// When nobody ran under this name.
    pub fn ns(&self, name: &str) -> f64 {
        median(self.column(name).to_vec())
    }

    /// How many times `name` takes what `floor` takes: the median of the ratios of each round.
    ///
    /// # Panics
    ///
    /// As [`Times::ns`].
    pub fn ratio(&self, name: &str, floor: &str) -> f64 {
        let pairs = self.column(name).iter().zip(self.column(floor));
        median(pairs.map(|(a, b)| a / b).collect())
    }
}

/// The middle one.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Gives the items of a list one after the other, for ever.
pub struct Turns<'a, T> {
    items: &'a [T],
    at: usize,
}

impl<'a, T> Turns<'a, T> {
    /// Begins with the first. The length should be a power of two, so that taking turns costs nothing.
    pub fn new(items: &'a [T]) -> Self {
        Self { items, at: 0 }
    }

    /// The next one.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "it never ends, so it is no iterator")]
    pub fn next(&mut self) -> &'a T {
        self.at = if self.at + 1 < self.items.len() { self.at + 1 } else { 0 };
        &self.items[self.at]
    }
}
