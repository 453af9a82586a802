"""A client of gameconfctl mcp that speaks JSON-RPC by hand."""

import json
import subprocess
import time

MODERN = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}


class Server:
    """gameconfctl mcp with these words."""

    def __init__(self, *words: str, program: tuple[str, ...] = ()):
        self.begun = time.monotonic()
        self.process = subprocess.Popen([*program, "gameconfctl", "mcp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        status = self.process.wait(timeout=10)
        rest = self.process.stdout.read()
        assert (status, rest) == (0, b""), (status, rest)

    def line(self, text: bytes) -> None:
        self.process.stdin.write(text + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict:
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, params: dict | None = None, meta: dict | None = META) -> dict:
        """The whole answer to a request."""
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": dict(params or {})}
        if meta is not None:
            message["params"]["_meta"] = meta
        self.line(json.dumps(message).encode())
        answer = self.read()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.number, answer
        return answer

    def result(self, method: str, params: dict | None = None) -> dict:
        answer = self.ask(method, params)
        assert answer.get("result", {}).get("resultType") == "complete", answer
        return answer["result"]

    def tool(self, name: str, **arguments) -> dict:
        """The structured content of a tool that works."""
        result = self.result("tools/call", {"name": name, "arguments": arguments})
        assert not result["isError"], result
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"], result
        return result["structuredContent"]

    def refusal(self, name: str, **arguments) -> dict:
        """What a tool that is refused says."""
        result = self.result("tools/call", {"name": name, "arguments": arguments})
        assert result["isError"], result
        return json.loads(result["content"][0]["text"])
