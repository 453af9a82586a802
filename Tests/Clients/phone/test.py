"""A phone pairs with `gameconfctl bridge --network`, plays, and strangers on its network get nothing.

    test.py GAMES-SOCKET
"""

import json
import os
import pty
import queue
import re
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import world
from world import ADDRESS, HOST, OTHER, PHONE, PHONES, STRANGER, STRANGERS, ask, send

GAME, KEY = "wheresthedot", "arcade_time_limit_base"
VALUE = f"/v1/games/{GAME}/config/{KEY}"


def same(seen, wanted, what):
    if seen != wanted:
        raise AssertionError(f"phone: {what}: {seen!r} instead of {wanted!r}")


def until(what, is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"phone: not within {seconds} s: {what}")
        time.sleep(0.02)


class Local:
    """A command in the host's namespace that listens on its loopback and prints its address."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", HOST, "gameconfctl", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        Bridge.running.append(self.process)
        self.address = self.process.stdout.readline().strip()
        self.port = int(re.search(r":(\d+)/", self.address)[1])

    def ask(self, method, target, body=None, headers=None):
        """As a user of the host."""
        return ask(HOST, self.port, method, target, body, headers, "127.0.0.1")

    def end(self):
        self.process.terminate()
        self.process.wait(20)


class Bridge:
    """The program in the host's namespace; what it prints is collected."""

    running = []

    def __init__(self, *options, port=0):
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", HOST, "gameconfctl", "bridge", "--network", "--game", GAME, "--address", ADDRESS, "--port", str(port),
             *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        Bridge.running.append(self.process)
        self.lines = []
        threading.Thread(target=self.read, daemon=True).start()
        self.port = int(self.line(r"^http://[\d.]+:(\d+)$")[1])

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def line(self, pattern, after=0):
        """Waits for a line from a place on."""
        found = []
        until(f"“{pattern}” in {self.lines}", lambda: found.extend(filter(None, (re.search(pattern, line) for line in self.lines[after:]))) or found)
        return found[-1]

    def code(self, is_new=False):
        after = 0
        if is_new:
            after = len(self.lines)
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        return self.line(r"^\w+://gameconf\?address=[\d.:]+&code=([A-Z2-9]{8})$", after)[1]

    def pair(self, namespace=PHONE, name="Ana's phone", is_new=False):
        status, answer = ask(namespace, self.port, "POST", "/pair", {"code": self.code(is_new), "name": name})
        same(status, 200, f"the pairing {answer}")
        return answer["token"]

    def end(self):
        self.process.send_signal(signal.SIGINT)
        same(self.process.wait(20), 0, "the bridge's end by Ctrl-C")


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def admin(*words):
    return subprocess.run(["gameconfctl", *words], check=True, stdout=subprocess.PIPE, text=True).stdout


class Watch(threading.Thread):
    """A stream of the phone's: the values that come, and its end."""

    def __init__(self, port, token, last=None, namespace=PHONE, host=ADDRESS):
        super().__init__(daemon=True)
        self.values, self.last = queue.Queue(), last
        self.connection = world.Connection(namespace, host, port, timeout=60)
        headers = {**bearer(token), **({"Last-Event-ID": last} if last else {})}
        self.connection.request("GET", f"/v1/games/{GAME}/watch?keys={KEY}", headers=headers)
        self.sock = self.connection.sock
        self.answer = self.connection.getresponse()
        same(self.answer.status, 200, "a watch")
        self.start()

    def run(self):
        try:
            for line in self.answer:
                if line.startswith(b"id:"):
                    self.last = line[3:].strip().decode()
                if line.startswith(b"data:"):
                    value = ((json.loads(line[5:]).get("values") or {}).get(KEY) or {}).get("value")
                    if value is not None:
                        self.values.put(value)
        except (OSError, ValueError):
            pass
        self.values.put(None)

    def gets(self, wanted):
        while (value := self.values.get(timeout=30)) != wanted:
            if value is None:
                raise AssertionError(f"phone: the watch ended before {wanted} came")

    def ends(self):
        while self.values.get(timeout=30) is not None:
            pass


def plays(bridge):
    """Pairing, reading, an event, a purchase, a watch that resumes."""
    token = bridge.pair()
    same(ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[1]["value"], 2.5, "a value by Bearer")
    same(ask(PHONE, bridge.port, "GET", f"/t/{token}{VALUE}")[1]["value"], 2.5, "a value by the path")
    same(ask(PHONE, bridge.port, "GET", f"{VALUE}?key={token}&player=p1")[1]["value"], 2.5, "a value by key=")
    event = {"event_id": "one", "event": "game_over", "mode": "classic", "score": 5, "reason": "timeUp"}
    same(ask(PHONE, bridge.port, "POST", f"/v1/games/{GAME}/players/ph1/events", event, bearer(token))[0], 200, "an event")
    status, bought = ask(
        PHONE, bridge.port, "POST", f"/v1/games/{GAME}/players/ph1/purchases", {"product": "premium"}, bearer(token))
    same(status in (200, 201), True, f"a purchase {bought}")
    watch = Watch(bridge.port, token)
    admin("config", "set", GAME, KEY, "4.5")
    watch.gets(4.5)
    return token, watch


def addresses(bridge, token):
    """The phone's address changes; the host's goes away and comes back."""
    world.ip("-n", PHONE, "addr", "del", f"{PHONES}/24", "dev", "eth0")
    world.ip("-n", PHONE, "addr", "add", "10.77.19.44/24", "dev", "eth0")
    same(ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[0], 200, "a read from another address")
    bridge.line(r"“Ana's phone” has a new address: 10\.77\.19\.44\.")
    world.ip("-n", PHONE, "addr", "del", "10.77.19.44/24", "dev", "eth0")
    world.ip("-n", PHONE, "addr", "add", f"{PHONES}/24", "dev", "eth0")
    world.ip("-n", HOST, "addr", "del", f"{ADDRESS}/24", "dev", "lan")
    bridge.line("does not have the address now")
    world.ip("-n", HOST, "addr", "add", f"{ADDRESS}/24", "dev", "lan")
    bridge.line("The address is back")
    same(ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[0], 200, "a read after the address came back")


def listed(bridge, token):
    """Devices are listed, and a device that is ended ends with its streams. A stolen token works, and is seen."""
    same(ask(STRANGER, bridge.port, "GET", VALUE, headers=bearer(token))[0], 200, "a stolen token")
    bridge.line(rf"“Ana's phone” has a new address: {STRANGERS}".replace(".", r"\."))
    devices = json.loads(admin("bridge", "devices", "--json"))["bridges"][0]["devices"]
    same([(each["name"], each["addresses"][0]) for each in devices], [("Ana's phone", STRANGERS)], "the devices")
    watch = Watch(bridge.port, token)
    admin("bridge", "devices", "--end", str(devices[0]["device"]))
    watch.ends()
    same(ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[0], 401, "a read after the end of the device")


def guesses(bridge):
    code = bridge.code(is_new=True)
    for wrong in ["", "AAAAAAAA", code[:-1], code + "A"]:
        same(ask(STRANGER, bridge.port, "POST", "/pair", {"code": wrong})[0], 403, f"the guess {wrong}")
    bridge.line(rf"A wrong code came from {STRANGERS}. 1 guess left".replace(".", r"\."))
    same(ask(STRANGER, bridge.port, "POST", "/pair", {"code": "BBBBBBBB"})[0], 403, "the fifth guess")
    bridge.line("The code has ended")
    same(ask(PHONE, bridge.port, "POST", "/pair", {"code": code})[0], 403, "the right code after five wrong ones")
    code = bridge.code(is_new=True)
    same(ask(PHONE, bridge.port, "POST", "/pair", {"code": code.lower()})[0], 200, "a code in small letters")
    same(ask(STRANGER, bridge.port, "POST", "/pair", {"code": code})[0], 403, "the same pairing again")


def attacks(bridge, token):
    """Every way that is no game's, tried with a token: what is tried, and what it gets."""
    port, inside = bridge.port, bearer(token)
    rows = [
        ("GET", "/v1/games", 404), ("GET", "/openapi.json", 404), ("GET", "/v1/status", 404), ("POST", "/v1/reload", 404),
        ("GET", "/health/live", 404), ("GET", "/v1/games/kidsdoku2/config", 404), ("GET", "/ofrep/v1/evaluate/flags", 404),
        ("GET", f"/v1/projects/{GAME}/remoteConfig", 404), ("POST", f"/v1/projects/{GAME}/namespaces/firebase:fetch", 404),
        ("DELETE", f"/v1/games/{GAME}/players/p1/bests", 404), ("GET", f"/v1/games/{GAME}", 404),
        ("GET", f"/v1/games/{GAME}/../kidsdoku2/config", 404), ("GET", f"/v1/games/{GAME}/%2e%2e/kidsdoku2/config", 404),
        ("GET", f"/v1/games/{GAME}/%2E./kidsdoku2/config", 404), ("GET", f"/v1/games/{GAME}%2F..%2Fkidsdoku2/config", 404),
        ("GET", f"/v1/games/{GAME}%2Fconfig", 404), ("GET", f"/v1//games/{GAME}/config", 404), ("GET", f"//v1/games/{GAME}/config", 404),
        ("GET", f"/v1/games/{GAME}/config/%00", 404), ("GET", f"/v1/games/{GAME}/config/%zz", 404),
        ("GET", f"/v1/games/{GAME}/config\\..\\x", 404), ("GET", f"/v1/games/{GAME}/./config", 404),
        ("PUT", f"/v1/games/{GAME}/overrides/{KEY}", 403), ("GET", f"/v1/games/{GAME}/audit", 403), ("POST", "/pair/../pair", 404),
        ("GET", "/pair", 405), ("GET", f"/v1/games/{GAME}/config?key=x", 400), ("GET", f"/v1/%67ames/{GAME}/config/{KEY}", 200),
    ]
    for method, target, wanted in rows:
        body = {} if method in ("POST", "PUT") else None
        same(ask(PHONE, port, method, target, body, inside)[0], wanted, f"{method} {target}")
    line, head = f"GET {VALUE} HTTP/1.1\r\n".encode(), f"Authorization: Bearer {token}\r\n".encode()
    own = f"Host: {ADDRESS}:{port}\r\n".encode()
    for what, text, wanted in [
        ("as it is", line + own + head, 200),
        ("an absolute target", f"GET http://{ADDRESS}:{port}{VALUE} HTTP/1.1\r\n".encode() + own + head, 400),
        ("no host", line + head, 421), ("two hosts", line + own + own + head, 421),
        ("a host name", line + f"Host: evil.example:{port}\r\n".encode() + head, 421),
        ("loopback's host", line + f"Host: 127.0.0.1:{port}\r\n".encode() + head, 421),
        ("no port", line + f"Host: {ADDRESS}\r\n".encode() + head, 421),
        ("a page's origin", line + own + head + b"Origin: http://evil.example\r\n", 403),
        ("a file's origin", line + own + head + b"Origin: null\r\n", 403),
        ("a page's fetch", line + own + head + b"Sec-Fetch-Site: cross-site\r\n", 403),
        ("a folded header", line + own + head + b"X: a\r\n b: c\r\n", 400),
        ("no token", line + own, 401), ("a wrong token", line + own + b"Authorization: Bearer " + b"0" * 32 + b"\r\n", 401),
        ("a long head", line + own + head + b"X: " + b"a" * 20_000 + b"\r\n", 431),
        ("rubbish", b"\x16\x03\x01\x02\x00\x01", 0),
    ]:
        same(send(PHONE, port, text + b"\r\n" if text.startswith(b"GET") else text, timeout=15), wanted, what)
    for what, headers, wanted in [
        ("a page's form", {"Content-Type": "text/plain"}, 415), ("a page", {"Origin": "http://evil.example"}, 403),
    ]:
        same(ask(STRANGER, port, "POST", "/pair", {"code": "AAAAAAAA"}, headers)[0], wanted, f"a pairing by {what}")
    same(ask(STRANGER, port, "POST", "/pair", b"{" * 2_000, {"Content-Type": "application/json"})[0], 413, "a pairing of 2 000 bytes")
    same(ask(STRANGER, port, "POST", "/pair", b"rubbish", {"Content-Type": "application/json"})[0], 400, "a pairing that is no JSON")
    same(ask(OTHER, port, "GET", VALUE, headers=inside)[0], 0, "a neighbour of another subnet of the host")


def crowds(bridge, token):
    """Heads that never end, and more connections than there are slots: the phone is still answered."""
    held = [world.connect(STRANGER, (ADDRESS, bridge.port)) for _ in range(40)]
    for sock in held:
        try:
            sock.sendall(b"GET / HTTP/1.1\r\n")
        except OSError:
            pass
    began = time.monotonic()
    same(ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[0], 200, "a read beside 40 slow heads")
    print(f"phone: a read beside 40 slow heads took {(time.monotonic() - began) * 1000:.0f} ms")
    for sock in held:
        sock.close()
    # Pairings whose body never comes, more than the bridge has slots for requests.
    pairing = f"POST /pair HTTP/1.1\r\nHost: {ADDRESS}:{bridge.port}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n".encode()
    held = []
    for _ in range(300):
        held.append(world.connect(STRANGER, (ADDRESS, bridge.port)))
        try:
            held[-1].sendall(pairing)
        except OSError:
            pass
    same(ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[0], 200, "a read beside 300 slow pairings")
    for sock in held:
        sock.close()
    watches = []
    # One of the eight is the watch that plays on.
    watches.extend(Watch(bridge.port, token) for _ in range(7))
    same(ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[0], 429, "a ninth connection of a device")
    for watch in watches:
        watch.sock.shutdown(2)
    until("a connection is free again", lambda: ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[0] == 200)


def milliseconds(what):
    began = time.monotonic()
    what()
    return (time.monotonic() - began) * 1_000


def p99(times):
    return sorted(times)[int(len(times) * 0.99)]


def speeds(bridge, token):
    """A phone's read, event and watch beside those of a client on loopback, in one run."""
    local = Local("bridge")
    mine = local.address.rsplit("/", 1)[1]
    number = iter(range(10_000))
    ways = [("the phone", PHONE, bridge.port, token, ADDRESS), ("loopback", HOST, local.port, mine, "127.0.0.1")]
    times = {name: {"read": [], "event": [], "watch": []} for name, *_ in ways}
    watches = [Watch(port, key, namespace=namespace, host=host) for _, namespace, port, key, host in ways]
    for turn in range(40):
        for name, namespace, port, key, host in ways:
            times[name]["read"].append(milliseconds(lambda: ask(namespace, port, "GET", VALUE, None, bearer(key), host)))
            event = {"event_id": f"s{next(number)}", "event": "game_over", "mode": "classic", "score": 5, "reason": "timeUp"}
            path = f"/v1/games/{GAME}/players/ph2/events"
            times[name]["event"].append(milliseconds(lambda: same(ask(namespace, port, "POST", path, event, bearer(key), host)[0], 200, "an event")))
            # A device has 60 requests a second.
            time.sleep(0.05)
        if turn % 4 == 0:
            value = 3 + turn / 20
            daemon = world.Unix(os.environ["GAMECONF_ADMIN_SOCKET"])
            began = time.monotonic()
            daemon.request("PUT", f"/v1/games/{GAME}/overrides/{KEY}", json.dumps({"value": value}), {"Host": "localhost", "Content-Type": "application/json"})
            same(daemon.getresponse().status, 200, "an override")
            for (name, *_), watch in zip(ways, watches):
                watch.gets(value)
                times[name]["watch"].append((time.monotonic() - began) * 1_000)
    for name, kinds in times.items():
        print(f"phone: {name}: " + ", ".join(f"{kind} {statistics.median(each):.1f} ms" for kind, each in kinds.items())
              + " (medians; a watch's is from the change on the admin socket until the value is read)")
    for watch in watches:
        watch.sock.shutdown(2)
    return local, mine


def rebinding(bridge, token, local, mine):
    """A page whose name was bound to the bridge's address: its browser sends the page's Host, with a token or without."""
    rows = [(method, target, key) for method, target in [("GET", VALUE), ("POST", "/pair"), ("OPTIONS", VALUE)] for key in (None, "token")]
    for method, target, key in rows:
        for port, namespace, host, given in [(bridge.port, PHONE, ADDRESS, token), (local.port, HOST, "127.0.0.1", mine)]:
            head = f"{method} {target} HTTP/1.1\r\nHost: evil.example:{port}\r\nSec-Fetch-Site: same-origin\r\n"
            head += f"Authorization: Bearer {given}\r\n" if key else ""
            same(send(namespace, port, (head + "\r\n").encode(), host=host), 421, f"{method} {target} of a rebound page with {key or 'no token'} at {host}")


def flood(bridge, local):
    """10 000 connections of a stranger, and as many devices as may be that ask as fast as they can: the panel on loopback is answered meanwhile."""
    panel = Local("panel", GAME, "--no-open")
    code = re.search(r"#code=(\w+)", panel.address)[1]
    proof = bearer(panel.ask("POST", "/panel/token", {"code": code})[1]["token"])

    def ask_panel(while_running):
        times = []
        while while_running() or len(times) < 100:
            times.append(milliseconds(lambda: same(panel.ask("GET", f"/v1/games/{GAME}/config", headers=proof)[0], 200, "the panel")))
        return times

    quiet = ask_panel(lambda: False)
    end, opened = threading.Event(), []
    stranger = threading.Thread(target=lambda: opened.append(world.flood(STRANGER, (ADDRESS, bridge.port), 10_000, end)))
    stranger.start()
    try:
        busy = ask_panel(stranger.is_alive)
    finally:
        end.set()
        stranger.join()
    same(opened, [10_000], "the stranger's connections")
    print(f"phone: the loopback panel beside 10 000 connections of a stranger: p99 {p99(busy):.0f} ms over {len(busy)} calls, quiet {p99(quiet):.0f} ms")
    tokens = [bridge.pair(name=f"phone {number}", is_new=True) for number in range(DEVICES - len(paired(bridge)))]
    same(ask(PHONE, bridge.port, "POST", "/pair", {"code": bridge.code(is_new=True)})[0], 403, "a seventeenth device")
    over, refused = threading.Event(), []

    def drive(token):
        while not over.is_set():
            status = ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[0]
            refused.append(status)

    devices = [threading.Thread(target=drive, args=(token,)) for token in tokens]
    for device in devices:
        device.start()
    began = time.monotonic()
    try:
        beside = ask_panel(lambda: time.monotonic() < began + 5)
    finally:
        over.set()
        for device in devices:
            device.join()
    print(f"phone: the loopback panel beside {len(tokens)} devices with {len(refused) / 5:.0f} requests a second: p99 {p99(beside):.0f} ms over {len(beside)} calls;"
          f" of theirs {refused.count(429)} were refused as too many, {refused.count(0)} closed")
    # All of them come from one address, of which eight heads at once are read.
    same(set(refused) <= {200, 429, 0}, True, f"what devices at their bounds get: {set(refused)}")
    panel.end()
    local.end()


DEVICES = 16


def paired(bridge):
    answers = json.loads(admin("bridge", "devices", "--json"))["bridges"]
    return next(each["devices"] for each in answers if each["address"] == f"{ADDRESS}:{bridge.port}")


def revenue_cat():
    """RevenueCat's key opens its calls of the game alone, and only from an address that a paired phone vouches for."""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/key", "w") as file:
            file.write(admin("iap", "key"))
        with open(folder + "/key") as file:
            key = bearer(file.read().strip())
        bridge = Bridge("--revenuecat", f"{GAME}={folder}/key")
        subscriber = "/v1/subscribers/ph1"
        same(ask(PHONE, bridge.port, "GET", subscriber, headers=key)[0], 401, "the key before a phone is paired")
        token = bridge.pair()
        status, answer = ask(PHONE, bridge.port, "GET", subscriber, headers=key)
        same((status, answer["subscriber"]["original_app_user_id"]), (200, "ph1"), "the key from the phone's address")
        same(ask(STRANGER, bridge.port, "GET", subscriber, headers=key)[0], 401, "the key from a stranger's address")
        same(ask(PHONE, bridge.port, "GET", VALUE, headers=key)[0], 404, "another call of the game with the key")
        same(ask(PHONE, bridge.port, "GET", f"/v1/games/kidsdoku2/revenuecat{subscriber}", headers=key)[0], 404, "another game's with the key")
        same(ask(PHONE, bridge.port, "GET", subscriber, headers=bearer("test_" + "0" * 32))[0] in (401, 404), True, "a guessed key")
        same(ask(PHONE, bridge.port, "GET", f"/v1/games/{GAME}/config/{KEY}", headers=bearer(token))[0], 200, "the token beside the key")
        bridge.end()


def twice(bridge, token):
    """A second bridge of the same game: its port has to be another, and a phone of each is ended by the bridge's address."""
    taken = subprocess.run(
        ["ip", "netns", "exec", HOST, "gameconfctl", "bridge", "--network", "--game", GAME, "--address", ADDRESS, "--port", str(bridge.port)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    same((taken.returncode != 0, "cannot be opened for listening" in taken.stdout), (True, True), f"a port in use: {taken.stdout}")
    other = Bridge()
    theirs = other.pair(name="x\x1b[2J" + "y" * 300)
    same(ask(PHONE, other.port, "GET", VALUE, headers=bearer(token))[0], 401, "a token of another bridge")
    same("\x1b" in admin("bridge", "devices"), False, "a control character in the list")
    several = subprocess.run(["gameconfctl", "bridge", "devices", "--end", "1", "--of", GAME], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    same((several.returncode != 0, "ADDRESS:PORT" in several.stderr), (True, True), "an end where two bridges run")
    admin("bridge", "devices", "--end", "1", "--of", f"{ADDRESS}:{other.port}")
    same(ask(PHONE, other.port, "GET", VALUE, headers=bearer(theirs))[0], 401, "a phone that was ended")
    same(ask(PHONE, bridge.port, "GET", VALUE, headers=bearer(token))[0], 200, "the phone of the other bridge")
    other.end()


def starts():
    """Starts that are refused say what to do."""
    def refused(*words):
        done = subprocess.run(
            ["ip", "netns", "exec", HOST, "gameconfctl", "bridge", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=60)
        same(done.returncode != 0, True, f"bridge {words} did not end with an error: {done.stdout}")
        return done.stdout
    network = ["--network", "--game", GAME]
    for words, says in [
        (["--network"], "--network needs --game"), ([*network, "--admin"], "exclude each other"), (network, "several private addresses"),
        ([*network, "--address", "8.8.8.8"], "not a private address"), ([*network, "--address", "10.1.2.3"], "not an address of this host"),
        ([*network, "--address", "localhost"], "IPv4 address"), ([*network, "--address", "fe80::1"], "IPv4 address"),
        ([*network, "--address", ADDRESS, "--scheme", "a b"], "--scheme takes a letter"),
        (["--network", "--game", "nothere", "--address", ADDRESS], "nothere"), (["--game", GAME], "--game needs --network"),
        ([*network, "--address", ADDRESS, "--socket", os.environ["GAMECONF_ADMIN_SOCKET"]], "admin socket"),
    ]:
        said = refused(*words)
        same(says in said, True, f"bridge {words} says {said!r}, not {says!r}")


def picture():
    """The code in the terminal is read by a program that reads QR codes; a narrow terminal shows the text alone."""
    for columns in [80, 44]:
        parent, child = pty.openpty()
        import fcntl
        import struct
        import termios
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        process = subprocess.Popen(
            ["ip", "netns", "exec", HOST, "gameconfctl", "bridge", "--network", "--game", GAME, "--address", ADDRESS],
            stdin=child, stdout=child, stderr=child, start_new_session=True)
        said = b""
        end = time.monotonic() + 60
        while b"shows another" not in said.replace(b"\r\n", b" ") and time.monotonic() < end:
            if select.select([parent], [], [], 1)[0]:
                said += os.read(parent, 65536)
        text = said.decode()
        process.terminate()
        process.wait(20)
        os.close(parent)
        os.close(child)
        blocks = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in text.split("\r\n") if "\x1b[30;107m" in line]
        same(len(blocks) > 0, columns == 80, f"a picture in {columns} columns")
        link = re.search(r"^wheresthedot://\S+$", text.replace("\r", ""), re.M)[0]
        if blocks and shutil.which("zbarimg"):
            with tempfile.TemporaryDirectory() as folder:
                rows = []
                for line in blocks:
                    rows.append(["1" if each in "█▀" else "0" for each in line])
                    rows.append(["1" if each in "█▄" else "0" for each in line])
                big = [" ".join(cell for cell in row for _ in range(6)) for row in rows for _ in range(6)]
                with open(folder + "/code.pbm", "w") as file:
                    file.write(f"P1\n{len(rows[0]) * 6} {len(big)}\n" + "\n".join(big) + "\n")
                read = subprocess.run(["zbarimg", "-q", "--raw", folder + "/code.pbm"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                same(read.stdout.strip(), link, "the text of the picture")


def main():
    # The bridges of other tests have their sockets elsewhere.
    runtime = tempfile.TemporaryDirectory()
    os.environ["XDG_RUNTIME_DIR"] = runtime.name
    world.tear_down()
    world.set_up()
    try:
        starts()
        picture()
        bridge = Bridge()
        token, watch = plays(bridge)
        addresses(bridge, token)
        guesses(bridge)
        attacks(bridge, token)
        crowds(bridge, token)
        # A bridge that starts again knows no phone; a watch resumes where it was.
        port, last = bridge.port, watch.last
        bridge.end()
        admin("config", "set", GAME, KEY, "3.5")
        bridge = Bridge(port=port)
        same(ask(PHONE, port, "GET", VALUE, headers=bearer(token))[0], 401, "the token of a bridge that has ended")
        token = bridge.pair()
        Watch(port, token, last).gets(3.5)
        listed(bridge, token)
        token = bridge.pair(is_new=True)
        twice(bridge, token)
        local, mine = speeds(bridge, token)
        rebinding(bridge, token, local, mine)
        flood(bridge, local)
        bridge.end()
        revenue_cat()
        admin("config", "clear", GAME, "--yes")
    finally:
        for process in Bridge.running:
            process.kill()
            process.wait()
        world.tear_down()
        runtime.cleanup()
    print("phone: pairing, playing, addresses, devices, guesses and attacks: all as they should be")


main()
