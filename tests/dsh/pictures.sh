#!/usr/bin/env bash
# Draws the pictures of docs/dsh.md from what the commands really print and the recorded sessions say.
#
#   . DIR/env.sh && tests/dsh/pictures.sh TARBALL
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tarball=$(realpath "$1")
out=$here/../../docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
cp "$tarball" "$work"
cd "$work"
export DSH_HOME=$work/home DSH_TELEMETRY_DISABLED=1

typed() { printf '\033[90m$\033[0m \033[1m%s\033[0m\n' "$*"; }
{
  add="dsh plugin --profile web add ./$(basename "$tarball")"
  typed "$add"
  "$DSH_BIN" ${add#dsh } 2>&1 | grep -v '^Progress' | sed "s#$work/home#~/.dsh#g; s#$work#~/Downloads#g"
  printf '\n'
  typed "dsh --profile web --dump-config | grep -A2 plan-gate"
  "$DSH_BIN" --profile web --dump-config | grep -A2 plan-gate
} | node "$here/picture.mjs" dsh > "$out/dsh-install.svg"

draw() { # session, name, title, first turn, last turn
  node "$here/transcript.mjs" "$here/../sessions/$1.jsonl" "$4" "$5" | node "$here/picture.mjs" "$3" > "$out/$2.svg"
}
draw dsh-sms-login.zh dsh-refused.zh '没有批准的计划：读可以，写不行' 1 1
draw dsh-sms-login.zh dsh-revised.zh '同意，但有补充：重新提出' 2 2
draw dsh-sms-login.zh dsh-held.zh '计划之内放行，计划之外扣下' 3 4
draw dsh-rate-limit.en dsh-refused.en 'no approved plan: reading runs, acting does not' 1 1
draw dsh-rate-limit.en dsh-revised.en 'a yes with something added: proposed again' 2 2
draw dsh-rate-limit.en dsh-held.en 'inside the plan it runs, outside it is held' 3 4
ls "$out"
