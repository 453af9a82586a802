"""Three hosts on one PostgreSQL with a synchronous standby, each in a network namespace of its own: what they agree on, and what happens when one
is cut off, when the primary is killed under load, and when a host's clock is wrong. Needs root, ip(8), PostgreSQL's server and python3.

    python3 Tests/System/fleet.py [--programs DIR] [--defaults DIR] [--quick] [--chaos MINUTES] [--seed N]

Random troubles follow the known ones (fleet_chaos.py). The seed says which faults are made and when; the machine decides what they meet.
"""

import argparse
import datetime
import http.client
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import fleet_chaos
from fleet_world import GAME, KEY, NET, Client, Host, Postgres, Watcher, event, games_played, must, run, shim, value_of, wait


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
    postgres.kill(postgres.primary)
    killed = time.monotonic()
    time.sleep(1)
    postgres.promote()
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


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def stages(options, hosts, postgres, row):
    """The hosts agree, and known troubles pass."""
    small = options.quick
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
    postgres.add_standby()


def main():
    parser = argparse.ArgumentParser(description="Three hosts on one PostgreSQL, in network namespaces.")
    parser.add_argument("--programs", default=".build/debug")
    parser.add_argument("--defaults", default="Defaults")
    parser.add_argument("--quick", action="store_true", help="a hundredth of everything")
    parser.add_argument("--right-clocks", action="store_true", help="no host whose clock is wrong")
    parser.add_argument(
        "--chaos", type=float, metavar="MINUTES", help="random faults for so long, and nothing else; without it, they come last, for two minutes")
    parser.add_argument("--seed", type=int, help="the seed of the random faults; by default one is drawn and printed")
    parser.add_argument("--keep", action="store_true", help="leave the folder with the logs of daemons and servers")
    options = parser.parse_args()
    options.programs, options.defaults = os.path.abspath(options.programs), os.path.abspath(options.defaults)
    folder = tempfile.mkdtemp(prefix="gcfleet.")
    os.chmod(folder, 0o755)
    database = os.path.join(folder, "postgres")
    os.mkdir(database)
    postgres, hosts = Postgres(database), []

    def row(what, figure):
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
        if options.chaos is None:
            stages(options, hosts, postgres, row)
        minutes = options.chaos if options.chaos is not None else 0.3 if options.quick else 2
        seed = options.seed if options.seed is not None else random.randrange(1 << 32)
        print(f"chaos: seed {seed}", flush=True)
        figures, findings = fleet_chaos.chaos(hosts, postgres, int(minutes * 60), seed)
        for what, figure in figures:
            row(what, figure)
        must(not findings, "\n".join([f"chaos of the seed {seed} found:", *findings]))
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
        if options.keep:
            print(f"logs: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


main()
