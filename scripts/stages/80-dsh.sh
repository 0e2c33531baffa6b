#!/usr/bin/env bash
# The plug-in alone, then packed and installed into the real DSH, played against a scripted model.
set -euo pipefail
cd "$PLAN_GATE_ROOT"
. scripts/node-env.sh
export PLAN_GATE_CARGO_PROFILE=${PLAN_GATE_CARGO_PROFILE:-quick}
node bindings/dsh/pack.mjs --native
(cd bindings/dsh && node --test)
tests/dsh/run.sh
