"""Puts the library into the wheel and gives the wheel its platform's tag.

The library is ``PLAN_GATE_BUILD_LIBRARY`` if set, else the workspace's release build, made if needed.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = Path(__file__).resolve().parent
if sys.platform == "win32":
    BUILT, NAME = "plan_gate.dll", "plan_gate.dll"
elif sys.platform == "darwin":
    BUILT, NAME = "libplan_gate.dylib", "libplan_gate.1.dylib"
else:
    BUILT, NAME = "libplan_gate.so", "libplan_gate.so.1"


def library() -> Path:
    chosen = os.environ.get("PLAN_GATE_BUILD_LIBRARY")
    if chosen:
        return Path(chosen)
    root = HERE.parents[1]
    built = Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "release" / BUILT
    if not built.exists():
        if not (root / "crates" / "cdylib").is_dir():
            sys.exit("plan-gate: set PLAN_GATE_BUILD_LIBRARY to the file of libplan_gate, or build in its repository")
        subprocess.run(["cargo", "build", "--release", "-p", "plan-gate-cdylib"], cwd=root, check=True)
    return built


class BuildWithLibrary(build_py):
    def run(self) -> None:
        super().run()
        target = Path(self.build_lib, "plan_gate", "_lib")
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(library(), target / NAME)


class PlatformDistribution(Distribution):
    """Not pure, also when the extension could not be compiled."""

    def has_ext_modules(self) -> bool:
        return True


try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70.1
    from wheel.bdist_wheel import bdist_wheel  # type: ignore[no-redef]


class AnyPython(bdist_wheel):
    """One wheel for every Python 3 of a platform: the extension keeps to the stable ABI, and where it cannot be
    loaded the package does without."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


setup(
    ext_modules=[Extension("plan_gate._fast", ["src/plan_gate/_fast.c"], py_limited_api=True, optional=True)],
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPython},
    distclass=PlatformDistribution,
)
