//! How much memory reading takes: none for an ordinary reply, at most twice the message for a long one.

use plan_gate_classifier::Classifier;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Counts what the current thread allocates.
struct Counting;

// SAFETY: every call is passed on to the system's allocator as it is.
#[allow(unsafe_code, reason = "counting allocations needs an allocator")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        let _ = LIVE.try_with(|live| {
            live.set(live.get() + layout.size());
            let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
        });
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = LIVE.try_with(|live| live.set(live.get().saturating_sub(layout.size())));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations made, and the most bytes held at a time, while `text` is read.
fn cost(classifier: &Classifier, text: &str) -> (usize, usize) {
    COUNT.set(0);
    LIVE.set(0);
    PEAK.set(0);
    std::hint::black_box(classifier.classify(text));
    (COUNT.get(), PEAK.get())
}

#[test]
fn an_ordinary_reply_allocates_nothing() {
    let classifier = Classifier::new(&[]).unwrap();
    for text in [
        "ok",
        "OK.",
        "Yes, go ahead.",
        "好的，开始吧",
        "請繼續！",
        "ＯＫ　！",
        "可以，按照你说的方案开始实施吧",
        "yes, that sounds great to me, please go ahead and do it now",
        "ok, but please keep the old file and add a test for it",
        "请帮我看一下登录页面为什么打不开？",
        "👍🏽",
        "Sounds good — let's do it 🚀",
    ] {
        assert_eq!(cost(&classifier, text).0, 0, "{text}");
    }
}

#[test]
fn a_long_message_takes_at_most_twice_its_size() {
    let classifier = Classifier::new(&[]).unwrap();
    for piece in [
        "The server was restarted. ",
        "服务器已经重启，然后继续处理。",
        "請繼續處理這個問題，",
        "Ａ",
        "ﷺ",
        "e\u{301}",
        "` \" “ > ",
        "> quoted\n",
        "yes ",
        "? ",
        "\u{200b}",
    ] {
        let text = piece.repeat(300_000 / piece.len());
        let (_, peak) = cost(&classifier, &text);
        assert!(peak <= 2 * text.len() + (64 << 10), "{piece:?}: {peak} bytes for {}", text.len());
    }
}
