# All languages answered the same to the byte: every runner ran, none failed, all digests are equal.
set -euo pipefail
python3 - <<'PY'
import re, sys
from pathlib import Path

runners = ["rust", "c", "python", "go", "node"]
vectors = sum(__import__("json").loads(Path("tests/conformance/manifest.json").read_text()).values())
faults, digests = [], {}
for runner in runners:
    file = Path(f"target/conformance-{runner}.txt")
    text = file.read_text() if file.exists() else ""
    ran = re.search(r"conformance: (\d+) passed, (\d+) failed\s+digest: ([0-9a-f]{16})", text)
    if not ran:
        faults.append(f"{runner}: did not run ({file})")
        continue
    passed, failed, digest = int(ran[1]), int(ran[2]), ran[3]
    digests[runner] = digest
    if failed or passed != vectors:
        faults.append(f"{runner}: {passed} passed, {failed} failed, of {vectors}")
if len(set(digests.values())) > 1:
    faults.append("digests differ: " + ", ".join(f"{name} {digest}" for name, digest in digests.items()))
for name, digest in digests.items():
    print(f"{name:7} {digest}")
print(*faults, sep="\n")
if not faults:
    print(f"note: {len(runners)} runners, {vectors} conversations, one digest {digest}")
sys.exit(bool(faults))
PY
