# What the tests need beyond Rust: a C compiler, valgrind, Python, Go, Node.
set -euo pipefail
missing=()
need() { command -v "$1" >/dev/null 2>&1 || missing+=("$2"); }
need cc gcc
need c++ g++
need valgrind valgrind
need python3 python3
need go golang-go
need node nodejs
need npm npm
need pkg-config pkg-config
need jq jq
need unzip unzip
python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3-venv)
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing: ${missing[*]}"
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  if command -v apt-get >/dev/null 2>&1; then
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
  else
    echo "install these with your package manager and run again: ${missing[*]}"
    exit 1
  fi
fi
rustup component add rustfmt clippy 2>/dev/null || cargo clippy --version
for tool in cc c++ valgrind python3 go node; do
  case $tool in go) version=$(go version) ;; *) version=$($tool --version 2>&1 | sed -n 1p) ;; esac
  echo "$tool: $version"
done
