# The Python package: built as a wheel, installed into an environment of its own, tested from there.
set -euo pipefail
root=$PWD
cargo build --quiet --release -p plan-gate-cdylib
environment=target/venv-python
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
python=$root/$environment/bin/python
rm -rf target/wheels bindings/python/build
"$python" -m pip install --quiet --disable-pip-version-check mypy
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir target/wheels bindings/python
"$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/plan_gate-*.whl
wheel=$(ls target/wheels/plan_gate-*.whl)
case $wheel in *-none-any.whl) echo "the wheel has no platform tag: $wheel"; exit 1 ;; esac
echo "note: wheel $(basename "$wheel") $(stat -c %s "$wheel") bytes"
unset PLAN_GATE_LIBRARY PYTHONPATH
export RUST_BACKTRACE=0

cd bindings/python
"$python" -m mypy src/plan_gate examples tests bench
# The installed package must find its own library, not one of the workspace.
"$python" -c 'from plan_gate import _ffi; assert "_lib" in _ffi.LIBRARY._name, _ffi.LIBRARY._name'
"$python" -c 'from plan_gate import _fast'
"$python" -W error -m unittest discover -q -t . -s tests
PLAN_GATE_PURE=1 "$python" -W error -m unittest discover -q -t . -s tests
PLAN_GATE_PURE=1 "$python" -m tests.conformance >"$root/target/conformance-python-pure.txt"
"$python" -m tests.conformance | tee "$root/target/conformance-python.txt"
diff "$root/target/conformance-python.txt" "$root/target/conformance-python-pure.txt"

# Once more with a library in which every layer can be made to panic.
cd "$root"
cargo build --quiet --profile quick --target-dir target/fault -p plan-gate-cdylib --features fault-injection
cd bindings/python
PLAN_GATE_LIBRARY=$root/target/fault/quick/libplan_gate.so "$python" -W error -m unittest -v tests.test_gate.InjectedPanic 2>&1 | tee "$root/target/python-injected.txt"
if grep -q skipped "$root/target/python-injected.txt"; then echo "the injected panics were not tested"; exit 1; fi
