#!/usr/bin/env bash
# The Node binding: its own tests, then the conformance vectors.
set -euo pipefail
cd "$PLAN_GATE_ROOT"
. scripts/node-env.sh
export PLAN_GATE_CARGO_PROFILE=${PLAN_GATE_CARGO_PROFILE:-quick}
node bindings/node/build.mjs
(cd bindings/node && node --test)
node bindings/node/conformance.mjs | tee target/conformance-node.txt
