"""What must fail: each attack on the panel's port, and the same on the bridge's where it is shared."""

import os
import shutil
import socket
import struct
import subprocess
import sys
import threading

from program import Bridge, Panel, code

OTHER = 4711


def same(found, wanted, what: str) -> None:
    if found != wanted:
        raise AssertionError(f"panel: {what}: {found!r} rather than {wanted!r}")


def foreign_pages(panel: Panel, token: str) -> None:
    proof, mine = f"Authorization: Bearer {token}", f"Host: {panel.host}"
    body = "Content-Type: application/json\nContent-Length: 2"
    for what, head, status in [
        ("a foreign Host on GET", "GET / HTTP/1.1\nHost: evil.example", 421),
        ("a foreign Host with the right port", f"GET /v1/games HTTP/1.1\nHost: evil.example:{panel.port}\n{proof}", 421),
        ("localhost for 127.0.0.1", f"GET / HTTP/1.1\nHost: localhost:{panel.port}", 421),
        ("two Hosts", f"GET / HTTP/1.1\n{mine}\n{mine}", 421),
        ("no Host", "GET / HTTP/1.1", 421),
        ("a foreign Origin", f"GET /v1/games HTTP/1.1\n{mine}\n{proof}\nOrigin: http://evil.example", 403),
        ("Origin: null", f"GET /v1/games HTTP/1.1\n{mine}\n{proof}\nOrigin: null", 403),
        ("another port of this host", f"GET / HTTP/1.1\n{mine}\nSec-Fetch-Site: same-site", 403),
        ("another site", f"GET / HTTP/1.1\n{mine}\nSec-Fetch-Site: cross-site", 403),
        ("streaming into another site", f"GET /panel/stream?game=wheresthedot HTTP/1.1\n{mine}\n{proof}\nSec-Fetch-Site: cross-site", 403),
        ("a simple POST", f"POST /panel/token HTTP/1.1\n{mine}\nContent-Type: text/plain\nContent-Length: 2", 415),
        ("a preflight", f"OPTIONS /v1/games HTTP/1.1\n{mine}\nOrigin: http://evil.example", 403),
        ("a service worker's script", f"GET /app.js HTTP/1.1\n{mine}\nService-Worker: script", 403),
        ("no token", f"GET /v1/games HTTP/1.1\n{mine}", 401),
        ("a guessed token", f"GET /v1/games HTTP/1.1\n{mine}\nAuthorization: Bearer {'0' * 32}", 401),
        ("the token in the query", f"GET /v1/games?key={token} HTTP/1.1\n{mine}", 401),
        ("the token in the path", f"GET /t/{token}/v1/games HTTP/1.1\n{mine}", 404),
        ("the token in another header", f"GET /v1/games HTTP/1.1\n{mine}\nX-API-Key: {token}", 401),
        ("a call that the page does not make", f"POST /v1/reload HTTP/1.1\n{mine}\n{proof}\n{body}", 404),
        ("the backup", f"GET /v1/store/backup HTTP/1.1\n{mine}\n{proof}", 404),
        ("a path that climbs", f"GET /v1/games/../store/backup HTTP/1.1\n{mine}\n{proof}", 404),
        ("a player whom a browser would remove", f"PATCH /v1/games/wheresthedot/players/.. HTTP/1.1\n{mine}\n{proof}\n{body}", 400),
        ("no HTTP", "HELLO", 400),
        ("a body in chunks", f"POST /panel/token HTTP/1.1\n{mine}\nTransfer-Encoding: chunked", 413),
    ]:
        same(panel.raw(head, b"{}" if "Content-Length: 2" in head else b"")[0], status, what)
    same(panel.raw(f"GET /v1/games HTTP/1.1\n{mine}\n{proof}\nOrigin: http://{panel.host}")[0], 200, "the page itself")


def headers(panel: Panel) -> None:
    wanted = {
        "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        "x-content-type-options": "nosniff", "cache-control": "no-store", "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
    }
    for path in ["", "app.js", "api.js", "ui.js", "row.js", "style.css", "icon.svg", "missing"]:
        status, found, body = panel.raw(f"GET /{path} HTTP/1.1\nHost: {panel.host}")
        same(status, 404 if path == "missing" else 200, "/" + path)
        same({name: found.get(name) for name in wanted}, wanted, f"the headers of /{path}")
        same([name for name in found if name.startswith("access-control")], [], f"CORS of /{path}")
        for inline in [b"<script>", b"style=", b"onclick=", b"innerHTML", b"eval("]:
            same(inline in body, False, f"{inline!r} in /{path}")


def codes(panel: Panel) -> str:
    first = code(panel.address)
    status, answer = panel.exchange(first)
    same(status, 200, "a code")
    same(panel.exchange(first)[0], 403, "a used code")
    same(panel.exchange("0" * 32)[0], 403, "a guessed code")
    same(panel.exchange(code(panel.another()))[0], 200, "the code that Enter prints")
    same(panel.exchange(code(panel.another()), "\nOrigin: http://evil.example")[0], 403, "a code from another page")
    return answer["token"]


def other_users(panel: Panel, token: str) -> None:
    """Another user of the host gets no byte, takes no slot and sees nothing in `ps`."""
    orphan(panel, token)
    if os.getuid() != 0 or not shutil.which("setpriv"):
        print("panel: SKIPPED: other users were not tried, which takes root and setpriv")
        return
    user = ["setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups", sys.executable, "-c"]
    read = "import socket\ns = socket.create_connection(('127.0.0.1', %d)); s.settimeout(20)\ntry:\n s.sendall(%r)\n print(len(s.recv(99)))\nexcept ConnectionError:\n print(0)"
    request = f"GET /v1/games HTTP/1.1\r\nHost: {panel.host}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    same(subprocess.run([*user, read % (panel.port, request)], capture_output=True, text=True, check=True).stdout.strip(), "0", "bytes for another user")
    flood = "import socket, sys\nheld = [socket.create_connection(('127.0.0.1', %d)) for _ in range(900)]\nprint('held', flush=True)\nsys.stdin.read()" % panel.port
    with subprocess.Popen([*user, flood], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        same(process.stdout.readline().strip(), "held", "another user's connections")
        same(panel.raw(f"GET /v1/games HTTP/1.1\nHost: {panel.host}\nAuthorization: Bearer {token}")[0], 200, "the page beside 900 connections of another user")
        process.stdin.close()
    taken = "import socket\ns = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\ntry:\n s.bind(('0.0.0.0', %d)); s.listen(); print('taken')\nexcept OSError:\n print('not')" % panel.port
    same(subprocess.run([*user, taken], capture_output=True, text=True, check=True).stdout.strip(), "not", "the port for another user")


def orphan(panel: Panel, token: str) -> None:
    """Connections that are reset at once end nothing: the next one is served."""
    request = f"GET /v1/games HTTP/1.1\nHost: {panel.host}\nAuthorization: Bearer {token}"
    for _ in range(20):
        connection = socket.create_connection(("127.0.0.1", panel.port))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(request.replace("\n", "\r\n").encode() + b"\r\n\r\n")
        connection.close()
    same(panel.raw(request)[0], 200, "the page after connections that were reset")


def crowd(panel: Panel, token: str) -> None:
    """Slow heads and a thousand connections of this user leave room for the page once they are closed, and none is held for ever."""
    held = [socket.create_connection(("127.0.0.1", panel.port)) for _ in range(1000)]
    for connection in held[:200]:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\n")
        except ConnectionError:
            pass
    ends: list[bool] = []

    def wait(connection):
        connection.settimeout(30)
        try:
            ends.append(connection.recv(1) == b"")
        except ConnectionError:
            ends.append(True)
        except TimeoutError:
            ends.append(False)

    waiting = [threading.Thread(target=wait, args=(connection,)) for connection in held]
    for thread in waiting:
        thread.start()
    for thread in waiting:
        thread.join()
    same(ends.count(True), 1000, "connections without a head that were closed")
    for connection in held:
        connection.close()
    same(panel.raw(f"GET /v1/games HTTP/1.1\nHost: {panel.host}\nAuthorization: Bearer {token}")[0], 200, "the page after a thousand connections")


def traces(panel: Panel, token: str) -> None:
    for process in os.listdir("/proc"):
        if process.isdigit():
            try:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    same(token.encode() in file.read(), False, f"the token among the words of process {process}")
            except (FileNotFoundError, ProcessLookupError):
                pass
    same(token in "".join(panel.errors) or token in panel.address, False, "the token in what the program says")


def run(panel: Panel) -> str:
    token = codes(panel)
    foreign_pages(panel, token)
    headers(panel)
    other_users(panel, token)
    crowd(panel, token)
    traces(panel, token)
    return token


def bridge() -> None:
    """What the bridge shares with the panel: its listener, and that a page of another port is refused."""
    given = Bridge()
    try:
        same(given.raw(f"GET /v1/games?key={given.token} HTTP/1.1\nHost: {given.host}\nSec-Fetch-Site: same-site")[0], 403, "a page of another port")
        other_users(given, given.token)
        crowd(given, given.token)
    finally:
        given.end()
