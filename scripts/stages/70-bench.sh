# The benches in short: every one runs once, the hot ways are counted (instructions, allocations) and
# compared with benches/baseline. Times are not judged here: machines are noisy, instructions are not.
set -euo pipefail
cargo build --quiet --release -p plan-gate-cdylib
# Once through each, as a test: without the release profile's long links.
cargo bench --quiet --profile quick -p plan-gate-benches --benches -- --test >target/bench-once.txt
echo "note: $(grep -c '^Success' target/bench-once.txt) benches ran once"
cargo build --quiet --profile bench -p plan-gate-benches --bin counts --bin hot
target/release/counts
