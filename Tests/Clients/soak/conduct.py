"""Ten games that play on while their daemon is killed and started, catalogs are loaded again, values forced and the database restored.

    conduct.py [--kills N] [--bind] [--seed N] [--cache FOLDER] [--timed] DAEMON GAMECONFCTL -- PROGRAM… -- PROGRAM… -- …

Each PROGRAM, two of each, gets BOARD PLACE PLAYER SOCKET CACHE. The sockets are held as systemd holds them, so that a game which finds the
daemon gone is let in by the next one; with --bind each daemon makes its own. The games' caches and queues lie in memory unless FOLDER is
said. Ends with 1 when a read failed, a value went back or an event
was not counted once; with --timed also when a frame was blocked, or a value that was set while the daemon ran was not with every game within a
second.
"""

import argparse
import ctypes
import http.client
import json
import mmap
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

NAMES = ("frames", "events", "scores", "answers", "refused", "queued", "lost", "back", "blocked", "longest_ns", "longest_asleep_ns")
HANDLE = ("state", "revision", "beat", "beat_at", "load", "load_at", "epochs")
WHY, SLOT = 256, 8 * (len(NAMES) + 2 * len(HANDLE)) + 256
PLAYING, QUIET, OVER, PRESSING = range(4)
LIVE = 3
PATIENCE = 60.0  # seconds until something that must come is said never to have come
CATALOG = """gameconf: 1
game: soak
title: Ten games that play on
locales: [en]
modes: [classic]
events: {game_over: {modes: [classic], score: true}}
parameters:
  beat: {type: integer, default: 0, range: {min: 0, max: 1000000}, section: Soak, description: Set again and again.}
  still: {type: double, default: 2.5, section: Soak, description: Never set.}
  label: {type: string, default: loaded-%d, section: Soak, description: Another with each load.}
"""


class Unix(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(self.path)


class World:
    def __init__(self, given: argparse.Namespace, programs: list[list[str]]):
        self.given, self.random = given, random.Random(given.seed)
        self.folder = tempfile.mkdtemp(prefix="gc-soak-", dir="/tmp")
        held = given.cache or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else self.folder)
        self.cache = tempfile.mkdtemp(prefix="gc-soak-", dir=held)
        for name in ("catalogs", "run", "state"):
            os.mkdir(f"{self.folder}/{name}", 0o700 if name == "state" else 0o755)
        self.admin = f"{self.folder}/run/admin.sock"
        self.sockets = [] if given.bind else [self.listening(name) for name in ("games", "admin")]
        self.loads = self.beats = 0
        self.write_catalog()
        players = []
        for place in range(2 * len(programs)):
            # Two devices of one player are among them.
            players.append("both" if place in (1, 3) else f"player{place}")
        self.players = players
        self.board = self.make_board(len(players))
        self.daemon: subprocess.Popen | None = None
        self.games: list[subprocess.Popen] = []
        self.programs = programs
        self.names = [f"{os.path.basename(programs[place // 2][-1])} {place % 2 + 1}" for place in range(len(players))]
        self.taken_back = {player: (0, 0) for player in players}  # counted, and undone by a restore
        self.at_backup: dict[str, tuple[int, int]] = {}
        self.after_change: list[float] = []
        self.after_start: list[float] = []
        self.restores = 0

    def listening(self, name: str) -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        made.bind(f"{self.folder}/run/{name}.sock")
        os.chmod(f"{self.folder}/run/{name}.sock", 0o666)
        made.listen(4096)
        return made

    def write_catalog(self) -> None:
        with open(f"{self.folder}/soak.aside", "w") as file:
            file.write(CATALOG % self.loads)
        os.rename(f"{self.folder}/soak.aside", f"{self.folder}/catalogs/soak.yaml")

    def make_board(self, count: int) -> mmap.mmap:
        with open(f"{self.folder}/board", "w+b") as file:
            file.truncate(8 + SLOT * count)
            return mmap.mmap(file.fileno(), 0)

    def start(self) -> subprocess.Popen:
        words = [self.given.daemon, "--defaults", f"{self.folder}/catalogs", "--runtime-dir", f"{self.folder}/run", "--state-dir",
                 f"{self.folder}/state", "--log-level", "error"]
        log = os.open(f"{self.folder}/log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            return self.started(words, log)
        finally:
            os.close(log)

    def started(self, words: list[str], log: int) -> subprocess.Popen:
        if self.given.bind:
            return subprocess.Popen(words, stdout=log, stderr=log)
        # As a service manager passes them: from 3 on, with names, for the process that is told.
        held = [each.fileno() for each in self.sockets]
        assert held == [3, 4], held
        environment = {**os.environ, "LISTEN_FDS": "2", "LISTEN_FDNAMES": "games:admin"}
        return subprocess.Popen(["sh", "-c", 'LISTEN_PID=$$; export LISTEN_PID; exec "$@"', "sh", *words], pass_fds=held, env=environment,
                                stdout=log, stderr=log)

    def ask(self, method: str, path: str, body: dict | None = None) -> tuple[int, dict]:
        """An answer; of a disk that is slow the daemon says that it is to be asked again."""
        end = time.monotonic() + PATIENCE
        while True:
            status, answer = self.ask_once(method, path, body)
            if status not in (429, 503) or time.monotonic() > end:
                return status, answer
            time.sleep(0.05)

    def ask_once(self, method: str, path: str, body: dict | None) -> tuple[int, dict]:
        connection = Unix(self.admin)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        finally:
            connection.close()

    def ready(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.ask_once("GET", "/health/ready", None)[0] == 200:
                    return
            except OSError:
                pass
            if self.daemon.poll() is not None:
                break
            time.sleep(0.01)
        self.fail("the daemon does not get ready: " + open(f"{self.folder}/log", errors="replace").read()[-2000:])

    def control(self, *words: str) -> None:
        done = subprocess.run([self.given.control, *words], capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
                              env={**os.environ, "GAMECONF_ADMIN_SOCKET": self.admin, "GAMECONF_SOCKET": f"{self.folder}/run/games.sock"})
        if done.returncode != 0:
            self.fail(f"{words} ended with {done.returncode}: {done.stderr}")

    def number(self, place: int, name: str, handle: int | None = None) -> int:
        word = NAMES.index(name) if handle is None else len(NAMES) + handle * len(HANDLE) + HANDLE.index(name)
        return ctypes.c_int64.from_buffer(self.board, 8 + SLOT * place + 8 * word).value

    def why(self, place: int) -> str:
        at = 8 + SLOT * (place + 1) - WHY
        return self.board[at:at + WHY].split(b"\0")[0].decode(errors="replace")

    def command(self, command: int) -> None:
        ctypes.c_int64.from_buffer(self.board, 0).value = command

    def fail(self, says: str) -> None:
        self.end()
        sys.exit(f"soak: {says}\n(kept: {self.folder})")

    def end(self) -> None:
        self.command(OVER)
        for game in self.games:
            try:
                game.wait(20)
            except subprocess.TimeoutExpired:
                game.kill()
        if self.daemon and self.daemon.poll() is None:
            self.daemon.terminate()
            self.daemon.wait(PATIENCE)

    def play(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            gone = [f"{self.names[place]} with {game.returncode}" for place, game in enumerate(self.games) if game.poll() is not None]
            if gone:
                self.fail(f"ended by themselves: {gone}")
            time.sleep(0.01)

    def until(self, what: str, holds, progress=lambda: None) -> None:
        """Until it holds for every game; gives up where it takes long, and nothing goes on that would show progress."""
        end, before = time.monotonic() + PATIENCE, progress()
        places = range(len(self.games))
        while not all(holds(place) for place in places):
            if (now := progress()) != before:
                end, before = time.monotonic() + PATIENCE, now
            if time.monotonic() > end:
                late = [f"{self.names[place]} {[self.number(place, each) for each in NAMES]} {[self.number(place, each, 0) for each in HANDLE]} "
                        f"{[self.number(place, each, 1) for each in HANDLE]}" for place in places if not holds(place)]
                self.fail(f"not within {PATIENCE:.0f} s: {what}; of\n" + "\n".join(late))
            self.play(0.01)

    def seen(self, name: str, value: int, since: float, figures: list[float]) -> None:
        """How long after a moment each handle of each game had a value."""
        self.until(f"{name} {value}", lambda place: all(self.number(place, name, handle) == value for handle in (0, 1)))
        for place in range(len(self.games)):
            for handle in (0, 1):
                figures.append(self.number(place, name + "_at", handle) / 1e9 - since)

    def beat(self, figures: list[float]) -> None:
        self.beats += 1
        status, answer = self.ask("PUT", "/v1/games/soak/overrides/beat", {"value": self.beats, "reason": "soak"})
        since = time.monotonic()
        if status not in (200, 201):
            self.fail(f"an override was answered {status} {answer}")
        self.seen("beat", self.beats, since, figures)

    def load(self) -> None:
        self.loads += 1
        self.write_catalog()
        self.control("reload")
        self.seen("load", self.loads, time.monotonic(), self.after_change)

    def drain(self) -> None:
        """Until every event of every game has its answer."""
        self.command(QUIET)
        self.play(0.1)  # a frame that was under way when it was told
        self.until("every event answered", lambda place: self.number(place, "queued") == 0
                   and self.number(place, "answers") == self.number(place, "events"),
                   # A busy disk may take long for thousands of events, each of which is one write.
                   lambda: sum(self.number(place, "answers") for place in range(len(self.games))))

    def counted(self) -> dict[str, tuple[int, int]]:
        known = {}
        for player in self.players:
            status, answer = self.ask("GET", f"/v1/games/soak/players/{player}")
            if status != 200:
                self.fail(f"the player {player} was answered {status} {answer}")
            known[player] = (answer["scores"]["games_played"], answer["scores"]["lifetime_score"])
        return known

    def expected(self) -> dict[str, tuple[int, int]]:
        sums = {player: [-each for each in self.taken_back[player]] for player in self.players}
        for place, player in enumerate(self.players):
            sums[player][0] += self.number(place, "events")
            sums[player][1] += self.number(place, "scores")
        return {player: (both[0], both[1]) for player, both in sums.items()}

    def check_counts(self, when: str) -> None:
        if (found := self.counted()) != (wanted := self.expected()):
            wrong = {player: (wanted[player], found[player]) for player in found if found[player] != wanted[player]}
            self.fail(f"{when}: player: ((events, scores) recorded, counted): {wrong}")

    def backup(self) -> None:
        self.drain()
        self.check_counts("before a backup")
        self.at_backup = self.counted()
        self.beat_at_backup = self.beats
        if os.path.exists(f"{self.folder}/backup.db"):
            os.remove(f"{self.folder}/backup.db")
        self.control("store", "backup", f"{self.folder}/backup.db")
        self.command(PLAYING)

    def restore(self) -> None:
        self.drain()
        self.check_counts("before a restore")
        before = self.counted()
        self.control("store", "restore", f"{self.folder}/backup.db", "--yes")
        since = time.monotonic()
        for player, (events, scores) in before.items():
            kept = self.at_backup[player]
            undone = self.taken_back[player]
            self.taken_back[player] = (undone[0] + events - kept[0], undone[1] + scores - kept[1])
        self.restores += 1
        self.seen("beat", self.beat_at_backup, since, self.after_change)
        epochs = 1 + self.restores
        self.until("a new epoch", lambda place: all(self.number(place, "epochs", handle) == epochs for handle in (0, 1)))
        self.check_counts("after a restore")
        self.command(PLAYING)

    def kill(self) -> None:
        # Each game has an event on its way then, done or not.
        self.command(PRESSING)
        self.play(self.random.uniform(0.1, 0.3))
        self.daemon.send_signal(signal.SIGKILL if self.random.random() < 0.7 else signal.SIGTERM)
        self.daemon.wait(PATIENCE)
        self.command(PLAYING)
        self.play(self.random.choice((0, 0.05, 0.3)))
        self.daemon = self.start()
        self.ready()
        # As soon as anybody is answered again, a value is set.
        self.beat(self.after_start)

    def soak(self) -> None:
        self.daemon = self.start()
        self.ready()
        for place, player in enumerate(self.players):
            self.games.append(subprocess.Popen(
                [*self.programs[place // 2], f"{self.folder}/board", str(place), player, f"{self.folder}/run/games.sock", self.cache]))
        self.until("live", lambda place: all(self.number(place, "state", handle) == LIVE for handle in (0, 1)))
        kills = self.given.kills
        for kill in range(1, kills + 1):
            self.play(self.random.uniform(0.2, 0.8))
            self.beat(self.after_change)
            if kill % 5 == 1:
                self.load()
            if kill % 10 == 2:
                self.backup()
            if kill % 10 == 3:
                self.restore()
            self.kill()
        self.drain()
        self.check_counts("at the end")

    def report(self, seconds: float) -> int:
        places = range(len(self.games))
        total = {name: sum(self.number(place, name) for place in places) for name in NAMES}
        longest = max(places, key=lambda place: self.number(place, "longest_ns"))
        asleep = max(places, key=lambda place: self.number(place, "longest_asleep_ns"))
        print(f"soak: {self.given.kills} kills, {self.loads} loads of a catalog, {self.beats} overrides, {self.restores} restores in {seconds:.0f} s; "
              f"{len(self.games)} games, {total['frames']} frames")
        print(f"soak: {total['events']} events, {total['answers']} answers, each counted once; {total['refused']} refused, {total['lost']} failed "
              f"reads, {total['back']} steps back, {total['blocked']} blocked frames")
        print(f"soak: the longest frame {self.number(longest, 'longest_ns') / 1e6:.1f} ms ({self.names[longest]}), the longest that one was asleep "
              f"{self.number(asleep, 'longest_asleep_ns') / 1e6:.1f} ms ({self.names[asleep]})")
        late = 0
        for what, figures in (("after a change", self.after_change), ("after a start", self.after_start)):
            figures.sort()
            late += sum(figure > 1 for figure in figures)
            if figures:
                print(f"soak: the value in the game {what}: p50 {figures[len(figures) // 2] * 1000:.0f} ms, p99 "
                      f"{figures[len(figures) * 99 // 100] * 1000:.0f} ms, the latest {figures[-1] * 1000:.0f} ms of {len(figures)}")
        for place in places:
            if self.why(place):
                print(f"soak: {self.names[place]}: {self.why(place)}")
        if late:
            print(f"soak: {late} later than a second")
        # How long something takes is for a machine that does nothing else: elsewhere it is said, and judged by whoever reads it.
        timed = late or total["blocked"] if self.given.timed else 0
        return 1 if timed or any(total[name] for name in ("refused", "lost", "back")) else 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--bind", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache")
    parser.add_argument("--timed", action="store_true")
    parser.add_argument("daemon")
    parser.add_argument("control")
    words, programs = sys.argv[1:], []
    while "--" in words:
        at = len(words) - 1 - words[::-1].index("--")
        programs.insert(0, words[at + 1:])
        words = words[:at]
    world = World(parser.parse_args(words), programs)
    began = time.monotonic()
    status = 1
    try:
        world.soak()
        world.end()
        status = world.report(time.monotonic() - began)
    finally:
        world.end()
        for each in world.sockets:
            each.close()
        shutil.rmtree(world.cache)
        if status == 0:
            shutil.rmtree(world.folder)
    return status


sys.exit(main())
