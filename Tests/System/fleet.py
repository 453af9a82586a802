"""Three hosts on one PostgreSQL with a synchronous standby, each in a network namespace of its own: what they agree on, and what happens when one
is cut off, when the primary is killed under load, and when a host's clock is wrong. Needs root, ip(8), PostgreSQL's server and python3.

    python3 Tests/System/fleet.py [--programs DIR] [--defaults DIR] [--quick]
"""

import argparse
import datetime
import glob
import http.client
import json
import os
import queue
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

GAME = "wheresthedot"
KEY = "arcade_time_limit_base"
NET = "10.77.18"


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout=60):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Client:
    """One connection that is kept, and made anew where it broke."""

    def __init__(self, path, timeout=60):
        self.path, self.timeout, self.connection = path, timeout, None

    def ask(self, method, target, body=None, headers=None):
        if self.connection is None:
            self.connection = UnixConnection(self.path, self.timeout)
        try:
            headers = dict(headers or {})
            if body is not None:
                headers["Content-Type"] = "application/json"
            self.connection.request(method, target, None if body is None else json.dumps(body), headers)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            raise
        return answer.status, json.loads(text) if text else None


class Postgres:
    """A primary and a standby, on the bridge."""

    def __init__(self, folder):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if not found:
            sys.exit("PostgreSQL's server is not installed")
        self.bin, self.folder, self.running = os.path.dirname(found[-1]), folder, {}
        shutil.chown(folder, "nobody")

    def run(self, program, *arguments, check=True):
        return subprocess.run(
            ["setpriv", "--reuid=nobody", "--clear-groups", os.path.join(self.bin, program), *arguments],
            check=check, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def data(self, name):
        return os.path.join(self.folder, name)

    def start(self, name, port, **settings):
        settings = {
            "listen_addresses": NET + ".1", "port": port, "unix_socket_directories": self.folder, "max_connections": 200,
            "hot_standby": "on", **settings}
        words = " ".join(f"-c {key}='{value}'" for key, value in settings.items())
        log = os.path.join(self.folder, name + ".log")
        try:
            self.run("pg_ctl", "-D", self.data(name), "-l", log, "-w", "-t", "120", "-s", "-o", words, "start")
        except subprocess.CalledProcessError as error:
            sys.exit(error.stdout + open(log).read())
        self.running[name] = port

    def set_up(self):
        self.run("initdb", "-D", self.data("a"), "-U", "gameconf", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        with open(os.path.join(self.data("a"), "pg_hba.conf"), "a") as hba:
            hba.write(f"host all all {NET}.0/24 trust\nhost replication all {NET}.0/24 trust\n")
        self.start("a", 5501)
        self.run("pg_basebackup", "-h", NET + ".1", "-p", "5501", "-U", "gameconf", "-D", self.data("b"), "-R", "-X", "stream")
        # As the primary of tomorrow it must not wait for a standby that it has not.
        self.start("b", 5502, synchronous_standby_names="")
        self.sql("a", "ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.sql("a", "SELECT pg_reload_conf()")
        wait("the standby is synchronous", lambda: "sync" in self.sql("a", "SELECT sync_state FROM pg_stat_replication"))

    def sql(self, name, text):
        return self.run("psql", "-h", NET + ".1", "-p", str(self.running[name]), "-U", "gameconf", "-d", "postgres", "-Atc", text).stdout.strip()

    def kill(self, name):
        """The whole server, as a machine that loses its power."""
        pid = int(open(os.path.join(self.data(name), "postmaster.pid")).readline())
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True).stdout.split()
        for each in [pid, *map(int, children)]:
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                pass
        del self.running[name]

    def promote(self, name):
        self.run("pg_ctl", "-D", self.data(name), "-w", "-s", "promote")

    def stop(self):
        for name in list(self.running):
            self.run("pg_ctl", "-D", self.data(name), "-m", "immediate", "-s", "stop", check=False)


class Host:
    """A daemon in a network namespace of its own; its sockets are files, so it is asked from outside."""

    def __init__(self, number, folder, options, preload=None):
        self.number, self.name, self.options = number, f"gcfleet{number}", options
        self.folder = os.path.join(folder, self.name)
        self.outside, self.preload, self.process = f"gcf{number}o", preload, None
        os.mkdir(self.folder)
        with open(os.path.join(self.folder, "gameconfd.yaml"), "w") as settings:
            settings.write(
                f'store: {{postgres: "host={NET}.1,{NET}.1 port=5501,5502 dbname=postgres user=gameconf", schema: fleet}}\n'
                "player-writes-per-second: 1000000\nplayer-mebibytes-per-day: 100000\n")

    def connect_network(self):
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self.outside, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "link", "set", self.outside, "master", "gcfleet", "up")
        run("ip", "-n", self.name, "link", "set", "lo", "up")
        run("ip", "-n", self.name, "addr", "add", f"{NET}.{10 + self.number}/24", "dev", "eth0")
        run("ip", "-n", self.name, "link", "set", "eth0", "up")

    def start(self):
        environment = dict(os.environ)
        if self.preload:
            environment["LD_PRELOAD"] = self.preload
        self.log = open(os.path.join(self.folder, "log"), "a")
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", self.name, os.path.join(self.options.programs, "gameconfd"), "--config", self.folder + "/gameconfd.yaml",
             "--defaults", self.options.defaults, "--runtime-dir", self.folder + "/run", "--state-dir", self.folder + "/state"],
            stdout=self.log, stderr=self.log, env=environment)
        wait(f"{self.name} serves", lambda: self.process.poll() is None and self.status() is not None, 180)

    def status(self):
        try:
            status, answer = Client(self.admin, 10).ask("GET", "/v1/status")
            return answer if status == 200 else None
        except OSError:
            return None

    @property
    def admin(self):
        return self.folder + "/run/admin.sock"

    @property
    def games(self):
        return self.folder + "/run/games.sock"

    def cut(self, is_cut):
        run("ip", "link", "set", self.outside, "down" if is_cut else "up")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        subprocess.run(["ip", "netns", "del", self.name], stderr=subprocess.DEVNULL)
        subprocess.run(["ip", "link", "del", self.outside], stderr=subprocess.DEVNULL)


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def wait(what, is_so, seconds=120):
    end = time.monotonic() + seconds
    while True:
        try:
            if is_so():
                return
        except (OSError, http.client.HTTPException, subprocess.CalledProcessError):
            pass
        if time.monotonic() > end:
            raise AssertionError(f"it did not come to it within {seconds} s that {what}")
        time.sleep(0.05)


def must(is_so, what):
    if not is_so:
        raise AssertionError(what)


class Watcher(threading.Thread):
    """Reads a stream of server-sent events and notes when each value came."""

    def __init__(self, host, target, pick):
        super().__init__(daemon=True)
        self.host, self.target, self.pick = host, target, pick
        self.seen, self.is_over, self.came = {}, False, queue.Queue()
        self.connection = UnixConnection(host.games, timeout=600)
        self.connection.request("GET", target)
        self.answer = self.connection.getresponse()
        must(self.answer.status == 200, f"a watch answered {self.answer.status}")
        self.start()

    def run(self):
        try:
            for line in self.answer:
                if line.startswith(b"data:"):
                    value = self.pick(json.loads(line[5:]))
                    if value is not None:
                        now = time.monotonic()
                        self.seen.setdefault(value, now)
                        self.came.put((value, now))
        except (OSError, ValueError, http.client.HTTPException):
            pass

    def after(self, value, seconds):
        """When another value came after that one."""
        was, end = False, time.monotonic() + seconds
        while True:
            came, at = self.came.get(timeout=max(0.1, end - time.monotonic()))
            if was and came != value:
                return at
            was = was or came == value

    def close(self):
        try:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass


def value_of(data):
    return ((data.get("values") or {}).get(KEY) or {}).get("value")


def told(hosts, count):
    """A value that is set on one host is an event of watchers on the others."""
    watchers = [Watcher(host, f"/v1/games/{GAME}/watch?keys={KEY}", value_of) for host in hosts[1:]]
    client, times = Client(hosts[0].admin), []
    for number in range(count):
        value = round(0.5 + number % 90 / 10, 1)
        while any(not watcher.came.empty() for watcher in watchers):
            for watcher in watchers:
                while not watcher.came.empty():
                    watcher.came.get()
        began = time.monotonic()
        status, answer = client.ask("PUT", f"/v1/games/{GAME}/overrides/{KEY}", {"value": value})
        must(status < 300, f"the override was refused: {answer}")
        for watcher in watchers:
            while True:
                came, at = watcher.came.get(timeout=30)
                if came == value:
                    break
            times.append((at - began) * 1000)
    for watcher in watchers:
        watcher.close()
    return times


def event(player, name):
    return f"/v1/games/{GAME}/players/{player}/events", {
        "event_id": name, "event": "game_over", "mode": "classic", "score": 5, "reason": "timeUp"}


def games_played(host, player):
    end = time.monotonic() + 30
    while True:
        status, answer = Client(host.admin).ask("GET", f"/v1/games/{GAME}/players/{player}")
        # A read that took too long is to be asked again, as it says.
        if status != 503 or "retry_after_seconds" not in answer or time.monotonic() > end:
            break
        time.sleep(answer["retry_after_seconds"])
    must(status == 200, f"the player answered {status} {answer}")
    return next((each["count"] for each in answer["counters"] if each["event"] == "game_over"), 0)


def in_turn(hosts, count):
    """One player, one event on each host in turn."""
    clients, began = [Client(host.games) for host in hosts], time.monotonic()
    for number in range(count):
        status, answer = clients[number % len(clients)].ask("POST", *event("turn", f"t{number}"))
        must(status < 300, f"event {number}: {status} {answer}")
        must(answer["count"] == number + 1, f"event {number} is counted as the {answer['count']}th")
    seconds = time.monotonic() - began
    for host in hosts:
        wait(f"{host.name} has all", lambda: games_played(host, "turn") == count, 10)
    return seconds


def at_once(hosts, clients, each):
    """Many clients on all hosts at one player; what was refused for a race is sent again with its id."""
    refused, failures = [0], []

    def play(number):
        client = Client(hosts[number % len(hosts)].games)
        for at in range(each):
            while True:
                status, answer = client.ask("POST", *event("all", f"c{number}-{at}"))
                if status < 300:
                    break
                if status != 503:
                    failures.append(f"{status} {answer}")
                    return
                refused[0] += 1

    threads = [threading.Thread(target=play, args=(number,)) for number in range(clients)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - began
    must(not failures, str(failures[:3]))
    for host in hosts:
        wait(f"{host.name} has all", lambda: games_played(host, "all") == clients * each, 10)
    return seconds, refused[0]


def cut_off(hosts, seconds):
    """A host without the network serves what it had, refuses writes, and has everything a moment after it is back."""
    away, there = hosts[2], Client(hosts[0].admin)
    must(there.ask("PUT", f"/v1/games/{GAME}/overrides/{KEY}", {"value": 2.5})[0] < 300, "the override")
    target = f"/v1/games/{GAME}/config/{KEY}"
    wait("all have it", lambda: Client(away.games).ask("GET", target)[1]["value"] == 2.5)
    away.cut(True)
    began, statuses, slowest = time.monotonic(), {}, 0
    must(there.ask("PUT", f"/v1/games/{GAME}/overrides/{KEY}", {"value": 3.5})[0] < 300, "the override while one is away")
    number = 0
    while time.monotonic() - began < seconds:
        asked = time.monotonic()
        status, answer = Client(away.games).ask("GET", target)
        must(status == 200 and answer["value"] == 2.5, f"the host that is away answered {status} {answer}")
        slowest = max(slowest, time.monotonic() - asked)
        status, answer = Client(away.games).ask("POST", *event("cut", f"x{number}"))
        statuses[status] = statuses.get(status, 0) + 1
        number += 1
        status, answer = Client(hosts[1].games).ask("POST", *event("cut", f"y{number}"))
        must(status < 300, f"the others' event: {status} {answer}")
        time.sleep(0.2)
    must(set(statuses) == {503}, f"writes on the host that is away: {statuses}")
    away.cut(False)
    back = time.monotonic()
    wait("it has the value", lambda: Client(away.games).ask("GET", target)[1]["value"] == 3.5, 90)
    value = time.monotonic() - back
    wait("it takes events", lambda: Client(away.games).ask("POST", *event("cut", "z"))[0] < 300, 90)
    again = time.monotonic() - back
    # What was answered with 503 was not done, or was done once and is found by its id.
    done = games_played(hosts[1], "cut")
    for at in range(number):
        status, answer = Client(away.games).ask("POST", *event("cut", f"x{at}"))
        must(status < 300, f"a repeat: {status} {answer}")
    wait("each counts once", lambda: games_played(hosts[1], "cut") == 2 * number + 1, 10)
    return value, again, slowest * 1000, done - number - 1


def failover(hosts, postgres, clients, seconds):
    """The primary is killed under load, the standby promoted: what was acknowledged is there, once."""
    acknowledged, unknown, refused, lock, over = [set() for _ in range(clients)], [0], [0], threading.Lock(), threading.Event()
    gaps = []

    def play(number):
        client, at, last = Client(hosts[number % len(hosts)].games, 120), 0, time.monotonic()
        while not over.is_set():
            try:
                status, answer = client.ask("POST", *event(f"f{number}", f"f{number}-{at}"))
            except (OSError, http.client.HTTPException):
                continue
            if status < 300:
                now = time.monotonic()
                with lock:
                    gaps.append(now - last)
                last = now
                acknowledged[number].add(at)
                at += 1
            else:
                must(status == 503, f"{status} {answer}")
                with lock:
                    (unknown if answer.get("code") == "OUTCOME_UNKNOWN" else refused)[0] += 1
                time.sleep(0.05)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    before = sum(map(len, acknowledged))
    postgres.kill("a")
    killed = time.monotonic()
    time.sleep(1)
    postgres.promote("b")
    promoted = time.monotonic()
    time.sleep(seconds + 10)
    over.set()
    for thread in threads:
        thread.join()
    lost = doubled = 0
    for number in range(clients):
        count, expected = games_played(hosts[0], f"f{number}"), len(acknowledged[number])
        # The last that was sent may be in without an answer.
        lost += max(0, expected - count)
        doubled += max(0, count - expected - 1)
    total = sum(map(len, acknowledged))
    return {"before": before, "total": total, "lost": lost, "doubled": doubled, "unknown": unknown[0], "refused": refused[0],
            "longest": max(gaps), "promoted": promoted - killed}


def wrong_clock(hosts):
    """A host whose clock is an hour ahead begins and ends windows with the others, and dates what is done on it by the database's time."""
    wrong = hosts[2]
    status = wrong.status()
    off = status["store"]["fleet"]["ahead_milliseconds"]
    must(abs(off - 3_600_000) < 5_000, f"its clock is said to be {off} ms ahead")
    must(any("clock" in warning for warning in status["warnings"]), f"no warning names the clock: {status['warnings']}")
    until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=5)
    body = {"value": 9.5, "until": until.strftime("%Y-%m-%dT%H:%M:%S.%fZ")}
    watchers = [Watcher(host, f"/v1/games/{GAME}/watch?keys={KEY}", value_of) for host in hosts]
    status, answer = Client(wrong.admin).ask("PUT", f"/v1/games/{GAME}/overrides/{KEY}", body)
    must(status < 300, f"a window on the host with the wrong clock: {status} {answer}")
    began = time.monotonic()
    ends = []
    for watcher in watchers:
        wait("it begins", lambda: 9.5 in watcher.seen, 20)
    for watcher in watchers:
        ends.append(watcher.after(9.5, 30) - began)
        watcher.close()
    lines = Client(hosts[0].admin).ask("GET", f"/v1/games/{GAME}/audit?limit=3&key={KEY}")[1]["entries"]
    for line in lines:
        at = datetime.datetime.strptime(line["at"][:19] + "+0000", "%Y-%m-%dT%H:%M:%S%z").timestamp()
        must(abs(at - time.time()) < 60, f"a line of the log is dated {line['at']}")
    return off, ends


SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int code = next(id, time);
  if (code == 0 && id == CLOCK_REALTIME) time->tv_sec += 3600;
  return code;
}
"""


def shim(folder):
    source, library = folder + "/ahead.c", folder + "/ahead.so"
    with open(source, "w") as file:
        file.write(SHIM)
    compiler = shutil.which("cc") or shutil.which("clang")
    run(compiler, "-shared", "-fPIC", "-o", library, source, "-ldl")
    return library


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", default=".build/debug")
    parser.add_argument("--defaults", default="Defaults")
    parser.add_argument("--quick", action="store_true", help="a hundredth of everything")
    parser.add_argument("--right-clocks", action="store_true", help="no host whose clock is wrong")
    options = parser.parse_args()
    options.programs, options.defaults = os.path.abspath(options.programs), os.path.abspath(options.defaults)
    small = options.quick
    folder = tempfile.mkdtemp(prefix="gcfleet.")
    os.chmod(folder, 0o755)
    database = os.path.join(folder, "postgres")
    os.mkdir(database)
    postgres, hosts, rows = Postgres(database), [], []

    def row(what, figure):
        rows.append((what, figure))
        print(f"{what:58} {figure}", flush=True)

    try:
        run("ip", "link", "add", "gcfleet", "type", "bridge")
        run("ip", "addr", "add", NET + ".1/24", "dev", "gcfleet")
        run("ip", "link", "set", "gcfleet", "up")
        postgres.set_up()
        ahead = shim(folder)
        for number in range(3):
            host = Host(number, folder, options, preload=ahead if number == 2 and not options.right_clocks else None)
            hosts.append(host)
            host.connect_network()
        for host in hosts:
            host.start()
        count = 20 if small else 1_000
        times = told(hosts, count)
        row(f"config set on one, told on the others, {count} times", f"p50 {statistics.median(times):.1f}, p99 {percentile(times, 0.99):.1f} ms")
        if not options.right_clocks:
            off, ends = wrong_clock(hosts)
            row("a host whose clock is ahead", f"{off} ms; its window of 5 s ended after {', '.join(f'{end:.1f}' for end in ends)} s")
        count = 90 if small else 10_000
        seconds = in_turn(hosts, count)
        row(f"one player, one event on each host in turn, {count}", f"exact, {count / seconds:.0f}/s")
        each = 5 if small else 100
        seconds, refused = at_once(hosts, 32, each)
        row(f"32 clients on three hosts at one player, {32 * each}", f"exact, {32 * each / seconds:.0f}/s, {refused} refused and sent again")
        length = 6 if small else 60
        value, again, slowest, late = cut_off(hosts, length)
        row(
            f"one host cut off for {length} s and back",
            f"values after {value:.1f} s, writes after {again:.1f} s; reads meanwhile {slowest:.1f} ms at most, {late} done that was not known")
        figures = failover(hosts, postgres, 32, 3 if small else 20)
        row(
            "primary killed under load of 32, standby promoted",
            f"{figures['total']} acknowledged ({figures['before']} before), {figures['lost']} lost, {figures['doubled']} doubled; "
            f"{figures['refused']} refused, {figures['unknown']} unknown, longest pause {figures['longest']:.1f} s")
        must(figures["lost"] == 0 and figures["doubled"] == 0, "something acknowledged was lost or doubled")
    except AssertionError as error:
        print(f"FAILED: {error}", file=sys.stderr)
        for host in hosts:
            print(f"--- {host.name}\n" + "".join(open(host.folder + "/log").readlines()[-15:]), file=sys.stderr)
        sys.exit(1)
    finally:
        for host in hosts:
            host.stop()
        postgres.stop()
        subprocess.run(["ip", "link", "del", "gcfleet"], stderr=subprocess.DEVNULL)
        shutil.rmtree(folder, ignore_errors=True)


main()
