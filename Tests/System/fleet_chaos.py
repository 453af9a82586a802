"""Random faults of a fleet under load, drawn from a seed: what holds through all of them.

Players' events, overrides, reads and watches go on at every host while hosts are killed, stopped, paused and cut off, the primary is killed, paused
and restarted, the standby is promoted, connections are refused and ended, and the database is dropped, taken away and exchanged for an older one.
"""

import collections
import http.client
import json
import queue
import random
import signal
import threading
import time

from fleet_world import GAME, KEY, Client, UnixConnection, event, must, wait

OTHER = "arcade_time_limit_min"
# A host that is whole again, and whose database is, takes writes and is ready within so many seconds.
RECOVERY_SECONDS = 120


class Observations:
    """What clients were answered, and what must not have been answered."""

    def __init__(self):
        self.lock, self.findings, self.counts = threading.Lock(), [], collections.Counter()
        self.named, self.began = {}, time.monotonic()

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def find(self, kind, text):
        with self.lock:
            self.counts[kind] += 1
            if self.counts[kind] <= 20:
                self.findings.append(f"{time.monotonic() - self.began:.1f} s: {text}")
                print(f"FINDING {self.findings[-1]}", flush=True)

    def name(self, revision, value, where):
        """One revision of an epoch never names two values."""
        with self.lock:
            known, before = self.named.setdefault(revision, (value, where))
        if known != value:
            self.find("revisions with two values", f"the revision {revision} named {known} on {before} and {value} on {where}")


class Load:
    """Clients of every host."""

    games = ["adventure", "dartsscore", "kidsdoku2", "remembersquare", "wheresthedot"]

    def __init__(self, hosts, observed, seed):
        self.hosts, self.observed, self.seed = hosts, observed, seed
        self.over, self.idle, self.era = threading.Event(), threading.Event(), 0
        # While a database that has lost something is exchanged, counts cannot be right.
        self.is_losing = False
        self.is_busy, self.threads, self.events, self.slots = collections.Counter(), [], {}, {}
        self.answered = []
        for number in range(8):
            self.run(self.play, number, f"p{number}", True)
        for number in range(3):
            self.run(self.play, 100 + number, "shared", False)
        for number, slot in enumerate([f"overrides/{KEY}", f"overrides/{OTHER}", f"players/opt/overrides/{OTHER}"]):
            self.run(self.override, number, slot)
        for host in hosts:
            self.run(self.read, host)
            self.run(self.watch, host)
            self.run(self.compare_ready, host)

    def run(self, work, *arguments):
        def guarded():
            try:
                work(*arguments)
            except Exception as error:  # A client that ends early would look like one that found nothing.
                self.observed.find("clients that failed", f"{work.__name__}: {error!r}")

        self.threads.append(threading.Thread(target=guarded, daemon=True))
        self.threads[-1].start()

    def send(self, random, kind, method, target, body, is_admin=False):
        """Sends a change to some host; None where it is not known to be done."""
        host = random.choice(self.hosts)
        client, began = Client(host.admin if is_admin else host.games, 40), time.monotonic()
        try:
            status, answer = client.ask(method, target, body)
        except (OSError, http.client.HTTPException, ValueError):
            self.observed.count(f"{kind} without an answer")
            time.sleep(0.2)
            return None
        finally:
            if client.connection:
                client.connection.close()
        if status < 300:
            self.observed.count(f"{kind} acknowledged")
            with self.observed.lock:
                self.answered.append((began, time.monotonic()))
            return answer
        if status == 503:
            self.observed.count(f"{kind} unknown" if answer.get("code") == "OUTCOME_UNKNOWN" else f"{kind} refused")
        else:
            self.observed.find("answers that are not to be", f"{host.name}: {method} {target}: {status} {answer}")
        time.sleep(0.1)
        return None

    def wait_while_idle(self, name):
        self.is_busy[name] = 0
        while self.idle.is_set() and not self.over.is_set():
            time.sleep(0.05)
        self.is_busy[name] = 1

    def play(self, number, name, is_alone):
        """Sends events one after another, each until it is acknowledged; alone, the player's counts are these events'."""
        random, at, era = self.random(number), 0, None
        player = acknowledged = None
        while not self.over.is_set():
            self.wait_while_idle(f"play{number}")
            if era != self.era:
                era, at = self.era, 0
                player = f"e{era}-{name}"
                acknowledged = self.events.setdefault(player, {"acknowledged": 0, "open": set()})
            identity = f"{player}-{number}-{at}"
            acknowledged["open"].add(identity)
            answer = self.send(random, "events", "POST", *event(player, identity))
            if answer is None or era != self.era:
                continue
            with self.observed.lock:
                acknowledged["open"].discard(identity)
                acknowledged["acknowledged"] += 1
            at += 1
            if is_alone and answer["count"] != at and not self.is_losing:
                kind = "events lost" if answer["count"] < at else "events doubled"
                self.observed.find(kind, f"event {identity} is counted as the {answer['count']}th")
            time.sleep(0.02)
        self.is_busy[f"play{number}"] = 0

    def override(self, number, slot):
        """Sets one slot to one value after another, each until it is acknowledged."""
        random, at = self.random(1_000 + number), 0
        while not self.over.is_set():
            self.wait_while_idle(f"override{number}")
            at += 1
            value, answer = round(0.5 + at % 90 / 10, 1), None
            self.slots[slot] = (value, False)
            while answer is None and not self.over.is_set() and not self.idle.is_set():
                answer = self.send(random, "overrides", "PUT", f"/v1/games/{GAME}/{slot}", {"value": value}, is_admin=True)
            self.slots[slot] = (value, answer is not None)
            time.sleep(0.1)
        self.is_busy[f"override{number}"] = 0

    def read(self, host):
        """Reads the values of the game and of one player."""
        client = Client(host.games, 20)
        while not self.over.is_set():
            for player in [None, "opt"]:
                try:
                    connection = client.connection or UnixConnection(host.games, 20)
                    client.connection = connection
                    query = f"keys={KEY},{OTHER}" + (f"&player={player}" if player else "")
                    connection.request("GET", f"/v1/games/{GAME}/config?{query}")
                    answer = connection.getresponse()
                    text = answer.read()
                except (OSError, http.client.HTTPException):
                    client.connection = None
                    self.observed.count("reads without an answer")
                    time.sleep(0.2)
                    continue
                if answer.status == 200:
                    self.observed.count("reads")
                    epoch, revision, of_player, *_ = answer.headers["Gameconf-Id"].split(".")
                    values = json.loads(text)["values"]
                    named = (epoch, revision) if player is None else (epoch, revision, player, of_player)
                    self.observed.name(named, values, host.name)
                elif player is None or answer.status != 503:
                    self.observed.find("reads refused", f"{host.name}: values of {player}: {answer.status} {text[:200]}")
            time.sleep(0.05)

    def watch(self, host):
        """Watches the game's values, and compares what each event names."""
        while not self.over.is_set():
            values, identity = {}, None
            try:
                connection = UnixConnection(host.games, 30)
                connection.request("GET", f"/v1/games/{GAME}/watch?keys={KEY},{OTHER}")
                answer = connection.getresponse()
                for line in answer:
                    if self.over.is_set():
                        break
                    if line.startswith(b"id:"):
                        identity = line[3:].strip().decode().split(".")
                    elif line.startswith(b"data:"):
                        values.update({key: each["value"] for key, each in (json.loads(line[5:]).get("values") or {}).items()})
                    elif not line.strip() and identity and len(values) == 2:
                        self.observed.count("watched events")
                        self.observed.name((identity[0], identity[1]), dict(values), f"{host.name}'s watch")
            except (OSError, http.client.HTTPException, ValueError):
                pass
            time.sleep(0.2)

    def compare_ready(self, host):
        """A host that says that it is ready serves every game of the catalogs."""
        while not self.over.is_set():
            time.sleep(0.3)
            try:
                client = Client(host.games, 20)
                if not is_ready(client):
                    continue
                games = [game["game"] for game in client.ask("GET", "/v1/games")[1]["games"]]
                missing = [game for game in self.games if game not in games]
                refused = [game for game in games if client.ask("GET", f"/v1/games/{game}/config")[0] != 200]
                self.observed.count("times ready")
                if (missing or refused) and is_ready(client):
                    self.observed.find("ready without a game", f"{host.name} is ready without {missing}, and does not answer for {refused}")
            except (OSError, http.client.HTTPException, ValueError):
                continue

    def random(self, number):
        return random.Random(f"{self.seed}-{number}")

    def rest(self):
        """Lets every client that changes something end what it does."""
        self.idle.set()
        wait("clients rest", lambda: not any(self.is_busy.values()), 90)

    def begin_era(self):
        """What is counted begins again, after a database has lost something."""
        with self.observed.lock:
            for kept in self.events.values():
                kept["is_over"] = True
        self.era += 1


def is_ready(client):
    status, answer = client.ask("GET", "/health/ready")
    return status == 200 and answer["status"] == "ready"


class Chaos:
    """The faults, one or two at a time."""

    def __init__(self, hosts, postgres, seed):
        self.hosts, self.postgres, self.random, self.seed = hosts, postgres, random.Random(seed), seed
        self.observed = Observations()
        self.load = Load(hosts, self.observed, seed)
        self.steps, self.longest = collections.Counter(), 0

    def run(self, seconds):
        end = time.monotonic() + seconds
        of_hosts = [self.kill_host, self.stop_host, self.pause_host, self.cut_host]
        of_database = [
            self.pause_primary, self.fail_over, self.crash_primary, self.refuse_connections, self.end_sessions, self.take_away, self.drop,
            self.exchange,
        ]
        # Each once, in any order, before any for the second time.
        left = {"host": [], "database": []}

        def draw(kind, all_of):
            if not left[kind]:
                left[kind] = self.random.sample(all_of, len(all_of))
            return left[kind].pop()

        while time.monotonic() < end:
            which = self.random.choice(["host", "database", "both"])
            faults = [draw("host", of_hosts)] if which != "database" else []
            if which != "host":
                fault = draw("database", of_database)
                # A host that starts while the database is another's would begin a fleet of its own there.
                faults = [fault] if fault in (self.drop, self.exchange, self.take_away) else faults + [fault]
            self.inject(faults)
            self.recover(" and ".join(fault.__name__ for fault in faults))
            time.sleep(self.random.uniform(0.5, 3))
        self.finish()

    def inject(self, faults):
        failures = queue.Queue()

        def guarded(fault, seed):
            try:
                fault(random.Random(seed))
            except Exception as error:
                failures.put(f"{fault.__name__}: {error!r}")

        threads = [threading.Thread(target=guarded, args=(fault, self.random.random())) for fault in faults]
        for fault in faults:
            self.steps[fault.__name__] += 1
        print(f"{time.monotonic() - self.observed.began:7.1f} s  " + ", ".join(fault.__name__ for fault in faults), flush=True)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        must(failures.empty(), f"a fault could not be made: {list(failures.queue)}")

    def recover(self, after):
        """Waits until every host takes events and is ready."""
        began = time.monotonic()
        for host in self.hosts:

            def is_whole():
                client = Client(host.games, 20)
                number = int(time.monotonic() * 1000)
                return is_ready(client) and client.ask("POST", *event(f"e{self.load.era}-{host.name}", f"r{number}"))[0] < 300

            try:
                wait("it recovers", is_whole, RECOVERY_SECONDS)
            except AssertionError:
                status = host.status()
                self.observed.find("hosts that did not recover", f"{host.name} is not whole {RECOVERY_SECONDS} s after {after}: {status}")
                host.end(signal.SIGKILL)
                host.start()
        self.longest = max(self.longest, time.monotonic() - began)

    def kill_host(self, random):
        host = random.choice(self.hosts)
        host.end(signal.SIGKILL)
        time.sleep(random.uniform(0, 3))
        host.start()

    def stop_host(self, random):
        host = random.choice(self.hosts)
        host.end(signal.SIGTERM)
        host.start()

    def pause_host(self, random):
        host = random.choice(self.hosts)
        host.process.send_signal(signal.SIGSTOP)
        time.sleep(random.uniform(0.2, 15))
        host.process.send_signal(signal.SIGCONT)

    def cut_host(self, random):
        host = random.choice(self.hosts)
        host.cut(True)
        time.sleep(random.uniform(0.2, 20))
        host.cut(False)

    def pause_primary(self, random):
        self.postgres.signal(self.postgres.primary, signal.SIGSTOP)
        time.sleep(random.uniform(0.2, 12))
        self.postgres.signal(self.postgres.primary, signal.SIGCONT)

    def fail_over(self, random):
        self.postgres.kill(self.postgres.primary)
        time.sleep(random.uniform(0, 8))
        self.postgres.promote()
        time.sleep(random.uniform(0, 2))
        self.postgres.add_standby()

    def crash_primary(self, random):
        self.postgres.kill(self.postgres.primary)
        time.sleep(random.uniform(0, 8))
        self.postgres.start(self.postgres.primary)

    def refuse_connections(self, random):
        self.postgres.refuse(True)
        time.sleep(random.uniform(0.2, 10))
        self.postgres.refuse(False)

    def end_sessions(self, random):
        for _ in range(random.randint(1, 5)):
            self.postgres.end_sessions()
            time.sleep(random.uniform(0, 1))

    def change_schema(self, text):
        """The server ends one of two transactions that lock the same tables in another order: it may be this one."""
        wait(text, lambda: self.postgres.sql(self.postgres.primary, text) is not None, 30)

    def take_away(self, random):
        """Another database has the place of the hosts' for a time."""
        self.change_schema("ALTER SCHEMA fleet RENAME TO away")
        time.sleep(random.uniform(0.2, 10))
        self.change_schema("ALTER SCHEMA away RENAME TO fleet")

    def drop(self, random):
        """The database is dropped, and the hosts begin another when they are started again."""
        self.load.is_losing = True
        self.change_schema("DROP SCHEMA fleet CASCADE")
        dropped = time.monotonic()
        time.sleep(random.uniform(0.2, 5))
        self.load.rest()
        restarted = time.monotonic()
        with self.observed.lock:
            made_up = [times for times in self.load.answered if dropped < times[0] and times[1] < restarted]
        if made_up:
            self.observed.find("changes without a database", f"{len(made_up)} changes were acknowledged after the database was dropped")
        for host in self.hosts:
            host.end(random.choice([signal.SIGKILL, signal.SIGTERM]))
        for host in self.hosts:
            host.start()
        self.begin_again()

    def exchange(self, random):
        """The standby is left behind, and promoted all the same: what was acknowledged meanwhile is lost, and nothing else."""
        self.load.rest()
        standby = self.postgres.standby
        self.postgres.wait_for_standby(False)
        self.check_counts()
        self.postgres.run("pg_ctl", "-D", self.postgres.data(standby), "-m", "fast", "-w", "-s", "stop")
        del self.postgres.running[standby]
        self.load.begin_era()
        self.load.is_losing = True
        self.load.idle.clear()
        time.sleep(random.uniform(1, 8))
        self.postgres.kill(self.postgres.primary)
        time.sleep(random.uniform(0, 3))
        self.postgres.start(standby)
        self.postgres.promote()
        time.sleep(random.uniform(0, 2))
        self.postgres.add_standby()
        self.recover("exchange")
        self.load.rest()
        self.begin_again()

    def begin_again(self):
        self.load.begin_era()
        self.load.slots.clear()
        self.load.is_losing = False
        self.load.idle.clear()

    def check_counts(self):
        """Every event that was acknowledged counts once, on every host."""
        for player, sent in list(self.load.events.items()):
            if sent.get("is_over"):
                continue
            for host in self.hosts:
                # Other hosts see within a second what one has written.
                count, end = 0, time.monotonic() + 10
                while count < sent["acknowledged"] and time.monotonic() < end:
                    count = count_of(host, player)
                if count < sent["acknowledged"]:
                    self.observed.find("events lost", f"{host.name}: {player} has {count} of {sent['acknowledged']} events")
                if count > sent["acknowledged"] + len(sent["open"]):
                    self.observed.find(
                        "events doubled", f"{host.name}: {player} has {count} events, {sent['acknowledged']} and {len(sent['open'])} open")
                self.observed.count("counts compared")

    def finish(self):
        """Everything is whole: what was acknowledged is there, and the hosts agree."""
        self.load.rest()
        self.check_counts()
        for slot, (value, is_acknowledged) in self.load.slots.items():
            key = slot.rsplit("/", 1)[1]
            player = "?player=opt" if "players/" in slot else ""
            for host in self.hosts:
                client = Client(host.games, 20)
                target = f"/v1/games/{GAME}/config/{key}{player}"
                if is_acknowledged:
                    try:
                        wait("it has the value", lambda: client.ask("GET", target)[1].get("value") == value, 10)
                    except AssertionError:
                        self.observed.find("overrides lost", f"{host.name}: {slot} is {client.ask('GET', target)}, {value} was acknowledged")
        self.load.over.set()


def count_of(host, player):
    def ask():
        status, answer = Client(host.admin, 30).ask("GET", f"/v1/games/{GAME}/players/{player}")
        answers.append((status, answer))
        return status in (200, 404)

    answers = []
    wait(f"{host.name} answers for {player}", ask, 60)
    status, answer = answers[-1]
    counters = answer["counters"] if status == 200 else []
    return next((each["count"] for each in counters if each["event"] == "game_over"), 0)


def chaos(hosts, postgres, seconds, seed):
    """Runs faults for a time; returns rows of figures, and what must not have been."""
    world = Chaos(hosts, postgres, seed)
    try:
        world.run(seconds)
    finally:
        world.load.over.set()
    counts, observed = world.observed.counts, world.observed
    rows = [
        (f"chaos of {seconds} s, seed {seed}", ", ".join(f"{name} {count}" for name, count in sorted(world.steps.items()))),
        ("events", figures(counts, "events", ["acknowledged", "refused", "unknown", "without an answer", "lost", "doubled"])),
        ("overrides", figures(counts, "overrides", ["acknowledged", "refused", "unknown", "without an answer", "lost"])),
        ("revisions seen", f"{len(observed.named)}, {counts['revisions with two values']} named two values"),
        ("reads and events of watches", f"{counts['reads']} and {counts['watched events']}"),
        ("looked whether a ready host serves every game", f"{counts['times ready']} times, {counts['ready without a game']} without one"),
        ("every host takes writes again", f"after {world.longest:.1f} s at most"),
    ]
    return rows, observed.findings


def figures(counts, kind, names):
    return ", ".join(f"{counts[f'{kind} {name}']} {name}" for name in names)
