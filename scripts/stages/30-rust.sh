# Every Rust test: layers, data files, arrows, header, vectors, models, properties.
set -euo pipefail
cargo test --quiet --workspace
cargo test -p plan-gate-tests --test conformance -- --nocapture | tee target/conformance-rust.txt | grep -aE '^(conformance|digest): '
