"""A game's configuration without a library: nothing but http.client on a Unix socket. Values are kept between calls and on disk, what the
player did is sent in order and once, however often it takes."""
import contextlib, http.client, json, os, socket, time, uuid

class Connection(http.client.HTTPConnection):
    """HTTP over a Unix socket; a second is the longest that a game waits."""

    def __init__(self, path):
        super().__init__("localhost", timeout=1)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

class Game:
    """`game.value(key, fallback)` always answers; `refresh` and `flush` ask the daemon, when the game has a moment."""

    def __init__(self, game, player, folder, path=None):
        self.base, self.player = f"/v1/games/{game}", player
        self.path = path or os.environ.get("GAMECONF_SOCKET", "/run/gameconfd/games.sock")
        self.file = os.path.join(folder, f"{game}.{player}.json")
        self.connection, self.not_before = None, 0.0
        try:
            with open(self.file) as file:
                self.kept = json.load(file)
        except (OSError, ValueError):
            self.kept = {"values": {}, "etag": None, "client": uuid7(), "number": 0, "queue": []}

    def call(self, method, path, body=None, headers={}):
        """The status and the body's members; 0 and none when there is no daemon, or its answer is cut or no JSON object."""
        for _ in range(2):  # a connection that was kept may have been closed meanwhile
            fresh = self.connection is None
            try:
                self.connection = self.connection or Connection(self.path)
                self.connection.request(method, self.base + path, body and json.dumps(body), {"Content-Type": "application/json", **headers})
                answer = self.connection.getresponse()
                self.headers, data = answer.headers, answer.read()
                return answer.status, dict(json.loads(data or "{}"))
            except (OSError, http.client.HTTPException, ValueError, TypeError):
                self.close()
                if fresh:
                    break
        return 0, {}

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def refresh(self):
        """Takes over every value at one revision; True when they are the daemon's present ones."""
        headers = {"If-None-Match": self.kept["etag"]} if self.kept["etag"] else {}
        status, body = self.call("GET", f"/config?player={self.player}", headers=headers)
        if "values" in body:
            self.kept["values"], self.kept["etag"] = body["values"], self.headers["ETag"]
            self.save()
        return status == 304 or "values" in body

    def value(self, key, fallback):
        value = self.kept["values"].get(key, fallback)
        return value if type(value) is type(fallback) or (type(value), type(fallback)) == (int, float) else fallback

    def event(self, **event):
        """Kept on disk before it is sent; its place in the queue tells the daemon whether it has been counted."""
        self.kept["number"] += 1
        self.kept["queue"].append({**event, "sequence": {"client": self.kept["client"], "number": self.kept["number"]}})
        self.save()

    def flush(self):
        """Sends what waits, in order; the answers of what was done. 429 and 5xx wait as long as they ask for."""
        answers = []
        while self.kept["queue"] and time.monotonic() >= self.not_before:
            status, body = self.call("POST", f"/players/{self.player}/events", self.kept["queue"][0])
            if status == 0 or status == 429 or status >= 500:
                self.not_before = time.monotonic() + int(self.headers.get("Retry-After", 1) if status else 1)
                break
            answers.append(body)
            del self.kept["queue"][0]
            self.save()
        return answers

    def save(self):
        with contextlib.suppress(OSError):  # what cannot be written, on a full disk, is in memory until the next time
            with open(self.file + ".new", "w") as file:
                json.dump(self.kept, file)
            os.replace(self.file + ".new", self.file)

def uuid7():
    """A UUID that begins with the time; the daemon asks for this kind."""
    number = int(time.time() * 1000) << 80 | int.from_bytes(os.urandom(10), "big")
    return str(uuid.UUID(int=number & ~(0xF << 76) & ~(3 << 62) | 7 << 76 | 2 << 62))
