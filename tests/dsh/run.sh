#!/usr/bin/env bash
# The whole check against the real DSH: install it, build and pack the plug-in, play every case.
#
#   tests/dsh/run.sh [case…]         PLAN_GATE_DSH_DIR: where DSH lives (default build/dsh)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${PLAN_GATE_DSH_DIR:-$root/build/dsh}
. "$("$here/setup.sh" "$dir")"
tarball=$(node "$root/bindings/dsh/pack.mjs" --out "$dir/pack")
node "$here/play.mjs" --plugin "$tarball" "$@"
