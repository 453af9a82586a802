"""What the fleet's tests share: PostgreSQL with a synchronous standby, daemons in network namespaces, and clients of them."""

import glob
import http.client
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
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

    PORTS = {"a": 5501, "b": 5502}

    def __init__(self, folder):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if not found:
            sys.exit("PostgreSQL's server is not installed")
        self.bin, self.folder, self.running, self.primary = os.path.dirname(found[-1]), folder, {}, "a"
        shutil.chown(folder, "nobody")

    def run(self, program, *arguments, check=True):
        return subprocess.run(
            ["setpriv", "--reuid=nobody", "--clear-groups", os.path.join(self.bin, program), *arguments],
            check=check, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def data(self, name):
        return os.path.join(self.folder, name)

    def start(self, name):
        port = self.PORTS[name]
        settings = {
            "listen_addresses": NET + ".1", "port": port, "unix_socket_directories": self.folder, "max_connections": 200,
            "hot_standby": "on"}
        words = " ".join(f"-c {key}='{value}'" for key, value in settings.items())
        log = os.path.join(self.folder, name + ".log")
        # A server that was killed leaves processes behind for a moment.
        wait(
            f"the server {name} starts: {log}",
            lambda: self.run("pg_ctl", "-D", self.data(name), "-l", log, "-w", "-t", "120", "-s", "-o", words, "start").returncode == 0, 30)
        self.running[name] = port

    def set_up(self):
        self.run("initdb", "-D", self.data("a"), "-U", "gameconf", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        with open(os.path.join(self.data("a"), "pg_hba.conf"), "a") as hba:
            hba.write(f"host all all {NET}.0/24 trust\nhost replication all {NET}.0/24 trust\n")
        self.start("a")
        self.add_standby()

    def add_standby(self):
        """Copies the primary, which then waits for the copy at each commit. The copy itself, once it is the primary, waits for none."""
        name = self.standby
        shutil.rmtree(self.data(name), ignore_errors=True)
        port = str(self.running[self.primary])
        self.run(
            "pg_basebackup", "-h", NET + ".1", "-p", port, "-U", "gameconf", "-D", self.data(name), "-R", "-X", "stream", "-c", "fast")
        self.start(name)
        self.wait_for_standby(True)

    def wait_for_standby(self, is_waiting):
        """Says whether the primary's commits wait for the standby."""
        self.sql(self.primary, f"ALTER SYSTEM SET synchronous_standby_names = '{'*' if is_waiting else ''}'")
        self.sql(self.primary, "SELECT pg_reload_conf()")
        state = "sync" if is_waiting else "async"
        wait(f"the standby is {state}", lambda: self.sql(self.primary, "SELECT sync_state FROM pg_stat_replication") == state)

    @property
    def standby(self):
        return "b" if self.primary == "a" else "a"

    def sql(self, name, text):
        return self.run("psql", "-h", NET + ".1", "-p", str(self.running[name]), "-U", "gameconf", "-d", "postgres", "-Atc", text).stdout.strip()

    def signal(self, name, number):
        """Sends a signal to the whole server."""
        pid = int(open(os.path.join(self.data(name), "postmaster.pid")).readline())
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True).stdout.split()
        for each in [pid, *map(int, children)]:
            try:
                os.kill(each, number)
            except ProcessLookupError:
                pass

    def kill(self, name):
        """The whole server, as a machine that loses its power."""
        self.signal(name, signal.SIGKILL)
        del self.running[name]

    def promote(self):
        """Makes the standby the primary; it waits for no standby until it has one."""
        self.primary = self.standby
        self.run("pg_ctl", "-D", self.data(self.primary), "-w", "-s", "promote")

    def refuse(self, is_refusing):
        """Refuses new connections of hosts, and ends those they have; the standby's stays."""
        path = os.path.join(self.data(self.primary), "pg_hba.conf")
        lines = [line for line in open(path).read().splitlines() if not line.endswith(" reject")]
        with open(path, "w") as hba:
            hba.write("".join(f"{line}\n" for line in [f"host all all {NET}.10/31 reject", f"host all all {NET}.12/31 reject"] * is_refusing + lines))
        self.sql(self.primary, "SELECT pg_reload_conf()")
        if is_refusing:
            self.end_sessions()

    def end_sessions(self):
        self.sql(self.primary, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'gameconfd %'")

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
        wait(f"{self.name} serves", lambda: must(self.process.poll() is None, f"{self.name} ended") or self.status() is not None, 180)

    def end(self, number):
        """Ends the daemon with a signal, and waits until it is gone."""
        self.process.send_signal(number)
        self.process.wait(60)

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
