#!/usr/bin/env python3
"""Plays the scenes against the real hosts, each at its pinned version, with the gate in front of it.

    tests/hosts/run.py --gate target/quick/plan-gate [--cache DIR] [--work DIR] [--jobs N] [HOST ...] [--scene NAME ...]

A host that cannot be installed here is reported as skipped, with the reason, and never as passed. Nothing of the
caller's home is read or written.
"""

import argparse
import concurrent.futures
import os
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

import hosts
import scenes

# What a host does not have, so that a scene makes no sense there.
WITHOUT = {
    **{
        (host, "dialog"): "the host has no dialog that a hook can open"
        for host in ("codex", "gemini-cli", "qwen-code", "opencode")
    },
}


def play(host, command, gate, work, scene, again=True):
    begun = time.monotonic()
    world = None
    try:
        world = hosts.World(host, command, gate, work / host / (scene.__name__ if again else f"{scene.__name__}-again"))
        world.put_gate_in_front()
        scene(world)
        verdict, why = "passed", ""
    except hosts.TooSlow as error:
        # A host that hangs on a busy machine gets one more chance, in a world of its own.
        if again:
            print(f"late    {host:12} {scene.__name__:10} {error}; played once more", flush=True)
            return play(host, command, gate, work, scene, again=False)
        verdict, why = "FAILED", str(error)
    except AssertionError as error:
        verdict, why = "FAILED", str(error)
    except Exception:
        verdict, why = "FAILED", traceback.format_exc()
    finally:
        if world:
            world.close()
    return host, scene.__name__, verdict, why, time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hosts", nargs="*", metavar="HOST", help=", ".join(hosts.VERSIONS))
    parser.add_argument("--gate", required=True, type=Path, help="the plan-gate program")
    parser.add_argument("--cache", type=Path, help="where hosts are installed (kept)")
    parser.add_argument("--work", type=Path, help="where the worlds are (kept)")
    parser.add_argument("--scene", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    unknown = set(options.hosts) - set(hosts.VERSIONS)
    if unknown:
        parser.error(f"no such host: {', '.join(sorted(unknown))}")
    chosen = [scene for scene in scenes.ALL if not options.scene or scene.__name__ in options.scene]
    if not chosen:
        parser.error(f"no such scene; there are {', '.join(scene.__name__ for scene in scenes.ALL)}")
    temporary = None
    if options.work is None:
        temporary = tempfile.mkdtemp(prefix="plan-gate-hosts-")
        options.work = Path(temporary)
    cache = options.cache or Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "plan-gate-hosts"
    # Hosts run in worlds of their own: every path must be whole.
    cache, options.work = cache.resolve(), options.work.resolve()
    begun = time.monotonic()
    counts = {"passed": 0, "FAILED": 0, "skipped": 0}

    def report(host, name, verdict, why="", seconds=None):
        counts[verdict] += 1
        took = f" {seconds:5.1f} s" if seconds is not None else ""
        print(f"{verdict:8}{host:12} {name:10}{took}" + (f"  {why}" if why else ""), flush=True)

    plays = []
    for host in options.hosts or hosts.VERSIONS:
        try:
            command = hosts.install(host, cache)
        except hosts.Skipped as reason:
            report(host, "(all)", "skipped", str(reason))
            continue
        for scene in chosen:
            without = WITHOUT.get((host, scene.__name__))
            if without:
                report(host, scene.__name__, "skipped", without)
            else:
                plays.append((host, command, options.gate.resolve(), options.work, scene))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda arguments: play(*arguments), plays):
            report(*result)
    print(
        f"hosts: {counts['passed']} passed, {counts['FAILED']} failed, {counts['skipped']} skipped,"
        f" {time.monotonic() - begun:.0f} s",
        flush=True,
    )
    if temporary and not counts["FAILED"]:
        shutil.rmtree(temporary, ignore_errors=True)
    elif temporary:
        print(f"the worlds are kept in {temporary}")
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
