#!/usr/bin/env bash
# The gate in front of the real Claude Code, Codex, Gemini CLI, Qwen Code and OpenCode, each at its pinned version, played
# against a scripted model. Hosts are kept under target/hosts between runs. A host that cannot be installed is skipped.
set -euo pipefail
cd "$PLAN_GATE_ROOT"
profile=${PLAN_GATE_CARGO_PROFILE:-quick}
cargo build -q -p plan-gate-cli --profile "$profile"
directory=$profile
[ "$profile" = dev ] && directory=debug
out=target/hosts-worlds.log
code=0
python3 tests/hosts/run.py --gate "target/$directory/plan-gate" --cache target/hosts | tee "$out" || code=$?
sed -n 's/^skipped */note: skipped /p; s/^hosts: /note: hosts: /p' "$out"
if ! grep -q '^passed' "$out" && [ "$code" = 0 ]; then
  echo "no host could be installed: $(sed -n 's/^skipped *//p' "$out" | sed -n 1p)"
  exit 77
fi
exit "$code"
