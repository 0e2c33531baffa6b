#!/usr/bin/env bash
# Installs a DSH that boots, with the Node and pnpm it needs, into one folder.
#
#   tests/dsh/setup.sh DIR      then:  . DIR/env.sh
#
# About 30 s on a cold cache; a second run on the same folder does nothing. Node is found, or installed,
# by scripts/node-env.sh.
set -euo pipefail

dsh_version=0.1.0-rc.8
pnpm_version=11.7.0

[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
stamp=$dir/.installed-$dsh_version
if [ -e "$stamp" ]; then echo "$dir/env.sh"; exit 0; fi

here=$(cd "$(dirname "$0")" && pwd)
PLAN_GATE_NODE_DIR=${PLAN_GATE_NODE_DIR:-$dir/node}
. "$here/../../scripts/node-env.sh"
node=$(readlink -f "$(command -v node)")
mkdir -p "$dir/bin"
ln -sfn "$node" "$dir/bin/node"
PATH=$dir/bin:$PATH

# The wheel's bin/npm is a copy without its library, so npm's own entry file is called.
npm_entry=$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js
npm() { if [ -e "$npm_entry" ]; then node "$npm_entry" "$@"; else command npm "$@"; fi; }
[ -e "$dir/node_modules/.bin/pnpm" ] || npm install --silent --no-fund --no-audit --prefix "$dir" "pnpm@$pnpm_version"
PATH=$dir/node_modules/.bin:$PATH

# The newest release whose dependencies are all published. Its caret ranges reach later builds of
# the framework packages, with which no profile boots, so those five are held back.
mkdir -p "$dir/host"
cat > "$dir/host/package.json" <<J
{ "name": "dsh-host", "version": "1.0.0", "private": true,
  "dependencies": { "@deepseek-ai/dsh": "$dsh_version" } }
J
cat > "$dir/host/pnpm-workspace.yaml" <<'Y'
packages: [.]
autoInstallPeers: true
strictDepBuilds: false
overrides:
  '@deepseek-ai/cordis': 4.0.1
  '@deepseek-ai/cordis-plugin-loader': 1.0.2
  '@deepseek-ai/cordis-plugin-include': 1.0.6
  '@deepseek-ai/cordis-plugin-hmr': 1.0.16
  '@deepseek-ai/cordis-plugin-timer': 1.1.3
Y
(cd "$dir/host" && pnpm install --silent)

cat > "$dir/env.sh" <<S
export PATH="$dir/node_modules/.bin:$dir/bin:\$PATH"
export DSH_BIN="$dir/host/node_modules/.bin/dsh"
S
[ "$("$dir/host/node_modules/.bin/dsh" --version)" = "$dsh_version" ] || { echo "DSH does not start" >&2; exit 1; }
touch "$stamp"
echo "$dir/env.sh"
