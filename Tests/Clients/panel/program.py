"""The panel's program and the daemon behind it, for tests."""

import http.client
import json
import os
import socket
import subprocess
import threading

GAMES, ADMIN = os.environ.get("GAMECONF_SOCKET"), os.environ.get("GAMECONF_ADMIN_SOCKET")


class Unix(http.client.HTTPConnection):
    """HTTP on a Unix socket."""

    def __init__(self, path: str):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def told(method: str, target: str, body=None, path: str | None = None) -> tuple[int, str]:
    """Asks the daemon, on the games' socket unless said, for its status and its words."""
    connection = Unix(path or GAMES)
    connection.request(method, target, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def ask(method: str, target: str, body=None, path: str | None = None):
    """Asks the daemon, on the games' socket unless said."""
    status, text = told(method, target, body, path)
    return status, json.loads(text) if text else None


class Game:
    """A game that runs: it hears of every change of a key over the games' socket."""

    def __init__(self, game: str, key: str, player: str | None = None):
        self.connection = Unix(GAMES)
        self.connection.request("GET", f"/v1/games/{game}/watch?keys={key}" + (f"&player={player}" if player else ""))
        self.answer = self.connection.getresponse()
        self.key = key
        self.felt()

    def felt(self):
        """Waits for the next value."""
        while True:
            line = self.answer.readline()
            if not line:
                raise AssertionError(f"the stream of {self.key} has ended")
            if line.startswith(b"data: "):
                values = json.loads(line[6:]).get("values", {})
                if self.key in values:
                    return values[self.key]["value"]


class Port:
    """A command of gameconfctl that listens on 127.0.0.1 and prints its address."""

    def __init__(self, *command: str):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise AssertionError(f"{command} did not start: {self.process.stderr.read()}")
        self.errors: list[str] = []
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()
        self.host = self.address.split("/")[2]
        self.port = int(self.host.split(":")[1])

    def raw(self, head: str, body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
        """One request as it is; status 0 when the connection was closed without a word."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
            received = b""
            try:
                while piece := connection.recv(65536):
                    received += piece
            except ConnectionResetError:
                pass
        if not received:
            return 0, {}, b""
        top, _, rest = received.partition(b"\r\n\r\n")
        first, *lines = top.decode().split("\r\n")
        return int(first.split()[1]), {line.split(": ", 1)[0].lower(): line.split(": ", 1)[1] for line in lines}, rest

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=20)


class Panel(Port):
    """`gameconfctl panel`, without a browser of its own."""

    def __init__(self, *words: str, program: tuple[str, ...] = ("gameconfctl",)):
        super().__init__(*program, "panel", *words, "--no-open")

    def another(self) -> str:
        """Another address, as Enter prints it."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def exchange(self, code: str, more: str = "") -> tuple[int, dict]:
        body = json.dumps({"code": code}).encode()
        status, _, text = self.raw(
            f"POST /panel/token HTTP/1.1\nHost: {self.host}\nContent-Type: application/json\nContent-Length: {len(body)}{more}", body)
        return status, json.loads(text) if text else {}


class Bridge(Port):
    """`gameconfctl bridge` to the games' socket."""

    def __init__(self):
        super().__init__("gameconfctl", "bridge")
        self.token = self.address.rsplit("/", 1)[1]


def code(address: str) -> str:
    return address.split("#code=")[1].split("&")[0]
