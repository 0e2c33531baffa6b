"""A model that says what a script tells it to, in the wire formats of all five hosts.

The script is a JSON object: what the user (or a parent agent) says -> the steps the model then takes, one per model
turn. A step is one part or a list of parts (a list of calls = parallel calls):

    {"say": "text"}
    {"call": "Write", "with": {"file_path": "a.txt"}}
    {"call": "propose_plan", "in": "mcp__gate", "with": {...}}     a grouped tool (Codex)
    {"call": "apply_patch", "raw": "*** Begin Patch ..."}          a tool that takes plain text (Codex)

The newest user text that stands in the script as a key is the running one; the model turns since then are the step.
So the server keeps no state, and the same script serves a resumed process and a sub-agent. Every request is appended
to a log, one JSON object a line.
"""

import itertools
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COUNTER = itertools.count(1)
ENDED = {"say": "the script has no more steps"}


def plain(content):
    """The texts of a message's content, last first."""
    if isinstance(content, str):
        return [content]
    return [part.get("text") or "" for part in reversed(content or []) if isinstance(part, dict)]


def find_step(script, turns):
    """`turns` are (who, texts) pairs in order; who is `model`, `user` or anything else."""
    since = 0
    for who, texts in reversed(turns):
        if who == "model":
            since += 1
        elif who == "user":
            for text in texts:
                steps = script.get(text.strip())
                if steps is not None:
                    return steps[since] if since < len(steps) else ENDED
    return {"say": "nothing in the script"}


def parts_of(step):
    return step if isinstance(step, list) else [step]


def sse(events):
    return "".join((f"event: {name}\n" if name else "") + f"data: {data}\n\n" for name, data in events)


# --- Anthropic messages: Claude Code


def anthropic(request, script):
    turns = [
        ("model" if m.get("role") == "assistant" else m.get("role"), plain(m.get("content")))
        for m in request.get("messages", [])
    ]
    blocks = []
    for part in parts_of(find_step(script, turns)):
        if "call" in part:
            number = next(COUNTER)
            blocks.append(
                {"type": "tool_use", "id": f"toolu_{number:06}", "name": part["call"], "input": part.get("with", {})}
            )
        else:
            blocks.append({"type": "text", "text": part["say"]})
    stop = "tool_use" if any(b["type"] == "tool_use" for b in blocks) else "end_turn"
    message = {
        "id": f"msg_{next(COUNTER):06}",
        "type": "message",
        "role": "assistant",
        "model": request.get("model", "mock"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    if not request.get("stream"):
        return json.dumps({**message, "content": blocks, "stop_reason": stop}), "application/json"
    events = [{"type": "message_start", "message": message}]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    events.append(
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop, "stop_sequence": None},
            "usage": {"output_tokens": 1},
        }
    )
    events.append({"type": "message_stop"})
    return sse((event["type"], json.dumps(event)) for event in events), "text/event-stream"


# --- OpenAI responses: Codex

FROM_MODEL = {"function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "reasoning"}


def responses(request, script):
    turns, in_turn = [], False
    for item in request.get("input", []):
        kind = item.get("type", "message")
        from_model = kind in FROM_MODEL or (kind == "message" and item.get("role") == "assistant")
        if from_model and not in_turn:
            turns.append(("model", []))
        elif kind == "agent_message" or (kind == "message" and item.get("role") == "user"):
            turns.append(("user", plain(item.get("content"))))
        in_turn = from_model
    items = []
    for part in parts_of(find_step(script, turns)):
        name = f"{next(COUNTER):06}"
        if "call" not in part:
            text = {"type": "output_text", "text": part["say"], "annotations": []}
            items.append({"type": "message", "id": "msg_" + name, "role": "assistant", "status": "completed", "content": [text]})
            continue
        item = {"call_id": "call_" + name, "name": part["call"], "status": "completed"}
        if "in" in part:
            item["namespace"] = part["in"]
        if "raw" in part:
            items.append({**item, "type": "custom_tool_call", "id": "ctc_" + name, "input": part["raw"]})
        else:
            arguments = json.dumps(part.get("with", {}))
            items.append({**item, "type": "function_call", "id": "fc_" + name, "arguments": arguments})
    response = {"id": f"resp_{next(COUNTER):06}"}
    events = [{"type": "response.created", "response": response}]
    for index, item in enumerate(items):
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    usage = {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    }
    events.append({"type": "response.completed", "response": {**response, "output": items, "usage": usage}})
    return sse((event["type"], json.dumps(event)) for event in events), "text/event-stream"


# --- OpenAI chat completions: OpenCode, Qwen Code


def completions(request, script):
    turns = [
        ("model" if m.get("role") == "assistant" else m.get("role"), plain(m.get("content")))
        for m in request.get("messages", [])
    ]
    # A request without tools asks for a title or a summary.
    step = find_step(script, turns) if request.get("tools") else {"say": "a title"}
    text, calls = "", []
    for part in parts_of(step):
        if "call" in part:
            function = {"name": part["call"], "arguments": json.dumps(part.get("with", {}))}
            calls.append(
                {"index": len(calls), "id": f"call_{next(COUNTER):06}", "type": "function", "function": function}
            )
        else:
            text += part["say"]
    message = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = calls
    why = "tool_calls" if calls else "stop"
    base = {"id": f"chatcmpl-{next(COUNTER)}", "created": 1, "model": "mock"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    if not request.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": why}
        return json.dumps({**base, "object": "chat.completion", "choices": [choice], "usage": usage}), "application/json"
    base["object"] = "chat.completion.chunk"
    chunks = [
        {**base, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": why}], "usage": usage},
    ]
    return sse([(None, json.dumps(chunk)) for chunk in chunks] + [(None, "[DONE]")]), "text/event-stream"


# --- Gemini


def gemini(request, script, stream):
    turns = [(m.get("role", "user"), plain(m.get("parts"))) for m in request.get("contents", [])]
    settings = request.get("generationConfig") or {}
    schema = settings.get("responseJsonSchema") or settings.get("responseSchema")
    if schema:  # a side question that wants an object: who speaks next, which model to use
        fields = schema.get("properties", {})
        answer = {k: "user" if k == "next_speaker" else (v.get("enum") or ["x"])[0] for k, v in fields.items()}
        parts = [{"text": json.dumps(answer)}]
    else:
        parts = [
            {"functionCall": {"name": part["call"], "args": part.get("with", {})}} if "call" in part else {"text": part["say"]}
            for part in parts_of(find_step(script, turns))
        ]
    candidate = {"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    answer = json.dumps({"candidates": [candidate], "modelVersion": "mock", "usageMetadata": usage})
    if stream:
        return sse([(None, answer)]), "text/event-stream"
    return answer, "application/json"


def answer_to(path, request, script):
    """(body, content type), or None for a path nobody serves."""
    if path.endswith("/count_tokens"):
        return '{"input_tokens":1}', "application/json"
    if path.endswith(":countTokens"):
        return '{"totalTokens":1}', "application/json"
    if path.endswith("/v1/messages"):
        return anthropic(request, script)
    if path.endswith("/responses"):
        return responses(request, script)
    if path.endswith("/chat/completions"):
        return completions(request, script)
    if path.endswith((":streamGenerateContent", ":generateContent")):
        return gemini(request, script, path.endswith(":streamGenerateContent"))
    return None


def serve(script_file, log_file):
    """A server on a free port of this machine; the script is read anew for every request."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def reply(self, code, body, kind="application/json"):
            body = body.encode()
            self.send_response(code)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_HEAD(self):
            self.reply(200, "")

        def do_GET(self):
            self.reply(200, '{"data":[{"id":"mock"}]}')

        def do_POST(self):
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            try:
                request = json.loads(raw or b"{}")
            except ValueError:
                request = {}
            with open(log_file, "a") as log:
                log.write(json.dumps({"path": self.path, "request": request}) + "\n")
            with open(script_file) as script:
                answer = answer_to(self.path.split("?")[0], request, json.load(script))
            if answer is None:
                self.reply(404, '{"error":{"message":"no such path"}}')
            else:
                self.reply(200, *answer)

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


if __name__ == "__main__":
    server = serve(sys.argv[1], sys.argv[2])
    print(server.server_address[1], flush=True)
    server.serve_forever()
