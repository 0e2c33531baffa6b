# A panic injected into every layer, through the C interface. Python, Go and Node repeat it in their stages.
set -euo pipefail
RUST_BACKTRACE=0 cargo test --quiet --target-dir target/fault -p plan-gate-ffi --features fault-injection --test injected 2>&1 |
  tee target/injected.txt | grep -vE "^(thread|injected fault|note: run with|$)"
grep -q "test result: ok. 1 passed" target/injected.txt
