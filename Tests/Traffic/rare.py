"""Has a daemon give the answers that no test brings about, so that check.py sees every part of their schemas.

    rare.py GAMECONFD

A new member, word or alternative of an answer needs a test that has a daemon answer with it, or a call here. What cannot be brought about is in
exceptions.txt, with the reason.
"""

import contextlib
import fcntl
import http.client
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

CATALOG = """
gameconf: 1
game: rare
title: Rare
locales: [en]
modes: [classic]
activate: manual
simulation: {purchases: games}
parameters:
  speed: {type: double, default: 1.0, range: {min: 0, max: 10}, unit: s, section: Play, description: The speed., player_setting: true}
  off: {type: boolean, default: true, flag: release, section: Flags, description: A release.}
  trial: {type: boolean, default: true, flag: experiment, section: Flags, description: An experiment.}
  works: {type: boolean, default: true, flag: ops, section: Flags, description: An operation.}
  stop: {type: boolean, default: true, flag: kill_switch, section: Flags, description: A switch.}
  text: {type: string, default: plain, section: Play, description: A text.}
  size: {type: integer, default: 1, section: Play, description: A size.}
  tree: {type: object, default: {a: 1}, section: Play, description: An object.}
  levels: {type: list, default: [1], section: Play, description: A list.}
  code: {type: string, default: AB, secret: true, section: Play, description: A secret.}
  disabled:
    type: string
    section: Play
    description: A disabled flag.
    default: none
    flagd: {state: DISABLED, variants: {a: A, b: B}, defaultVariant: a}
  variant:
    type: string
    section: Play
    description: A flag with variants.
    default: none
    flagd: {variants: {a: A, b: B}, targeting: {fractional: [[a, 50], [b, 50]]}}
  faulty:
    type: string
    section: Play
    description: A flag whose targeting names no variant.
    default: none
    flagd: {variants: {a: A}, defaultVariant: a, targeting: {if: [true, z]}}
events:
  game_over: {score: true, details: {level: {type: integer}}, best_by: level}
  minor: {}
  checked: {details: {n: {type: integer}}, checks: {slow: {require: {"<": [{var: details.n}, @@]}, message: Too much.}}}
milestones:
  first: {count: {events: game_over}, at: 1}
  follows: {count: {unlocked: first}, achievement: true}
products:
  pass: {type: non_renewing, price: {USD: "1.00"}, grants: [pass]}
  trial: {type: auto_renewable, price: {USD: "2.00"}, grants: [pro], group: a, period: P1M, intro: {mode: free_trial, period: P3D}}
  go: {type: auto_renewable, price: {USD: "3.00"}, grants: [pro], group: b, period: P1M, grace_period: P6D,
    intro: {mode: pay_as_you_go, period: P1M, periods: 3, price: {USD: "0.50"}}}
  low: {type: auto_renewable, price: {USD: "1.00"}, grants: [pro], group: b, level: 2, period: P1M}
  front: {type: auto_renewable, price: {USD: "4.00"}, grants: [pro], group: c, period: P1M,
    intro: {mode: pay_up_front, period: P1M, price: {USD: "1.50"}}}
placements:
  disabled: {format: interstitial, event: game_over, enabled: false}
  visits: {format: rewarded, event: game_over, grace_visits: 9}
  events: {format: banner, event: game_over, grace_events: 9}
  delayed: {format: app_open, event: game_over, first_ad_delay_seconds: 3600}
  rewarded: {format: rewarded, event: minor}
  after: {format: interstitial, event: game_over, after_rewarded_seconds: 3600}
  paced: {format: interstitial, event: game_over, min_seconds: 3600}
  capped: {format: interstitial, event: minor, caps: [{count: 1, per: day}]}
  never: {format: interstitial, event: minor, caps: [{count: 1, per: lifetime}]}
gates:
  endless: {args: {n: integer}, locked_when: {"<": [{var: n}, @@]}}
leaderboards:
  best: {event: game_over}
"""

SLOW = '{reduce: [@, {"+": [{var: accumulator}, {reduce: [@, {"+": [{var: accumulator}, {var: current}]}, 0]}]}, 0]}'
CATALOG = CATALOG.replace("@@", SLOW).replace("@", json.dumps(list(range(400))))


class Unix(http.client.HTTPConnection):
    def __init__(self, path: str):
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(60)
        self.sock.connect(self.path)


class Daemon:
    def __init__(self, program: str, folder: str, catalogs: dict):
        self.program, self.folder = program, folder
        folders = {"--config": "settings.yaml", "--defaults": "defaults", "--runtime-dir": "run", "--state-dir": "state"}
        self.options = [word for option, name in folders.items() for word in (option, f"{folder}/{name}")]
        os.makedirs(folder + "/defaults")
        for name, text in catalogs.items():
            with open(f"{folder}/defaults/{name}.yaml", "w", encoding="utf-8") as file:
                file.write(text)
        with open(folder + "/settings.yaml", "w", encoding="utf-8") as file:
            file.write("secret_readers: {rare: [65534]}\n")
        self.start()

    def start(self, prefix: list[str] = (), pass_fds: list[int] = ()) -> None:
        with open(self.folder + "/log", "ab") as log:
            self.process = subprocess.Popen(
                [*prefix, self.program, *self.options],
                stderr=log,
                pass_fds=pass_fds,
            )
        while True:
            with open(self.folder + "/log", encoding="utf-8") as log:
                if " ready" in log.read():
                    return
            if self.process.poll() is not None:
                with open(self.folder + "/log", encoding="utf-8") as log:
                    sys.exit(log.read())
            time.sleep(0.02)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        open(self.folder + "/log", "w", encoding="utf-8").close()

    def call(self, method: str, path: str, body=None, *, admin: bool = True, status: tuple = (200, 201)):
        """Sends a call and returns its answer's body; any other status ends the program."""
        connection = Unix(self.folder + ("/run/admin.sock" if admin else "/run/games.sock"))
        with contextlib.closing(connection):
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, path, data, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
        if answer.status not in status:
            sys.exit(f"rare.py: {method} {path}: {answer.status}, not {status}: {text.decode()[:600]}")
        return json.loads(text) if text else None


def expect(value, expected, where: str) -> None:
    if value != expected:
        sys.exit(f"rare.py: {where} is {value!r}, not {expected!r}")


def instant(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def ads(here: Daemon) -> None:
    game = "/v1/games/rare/players/ad"
    over = {"event": "game_over", "mode": "classic", "score": 1, "details": {"level": 1}}
    seen = {name: ad.get("reason") for name, ad in here.call("POST", game + "/events", over)["ads"].items()}
    expect({seen[name] for name in ("disabled", "visits", "events", "delayed")}, {"DISABLED", "GRACE_VISITS", "GRACE_EVENTS", "FIRST_AD_DELAY"}, "reasons")
    shown = here.call("POST", game + "/events", {"event": "minor"})["ads"]
    report = game + "/ads/rewarded/reports"
    here.call("POST", report, {"decision_id": shown["rewarded"]["decision_id"], "outcome": "rewarded"})
    shown = here.call("POST", game + "/events", {"event": "minor"})["ads"]
    expect(shown["capped"]["reason"], "CAPPED", "capped")
    here.call("POST", report, {"decision_id": shown["rewarded"]["decision_id"], "outcome": "failed"})
    seen = {name: ad.get("reason") for name, ad in here.call("POST", game + "/events", over)["ads"].items()}
    expect((seen["after"], seen["paced"]), ("AFTER_REWARDED", "PACING"), "reasons")
    for placement in seen | shown:
        here.call("GET", f"{game}/ads/{placement}", admin=False)


def values(here: Daemon) -> None:
    game = "/v1/games/rare"
    here.call("GET", game + "/config?detail=full", admin=False)
    here.call("GET", game + "/config/disabled", admin=False)
    here.call("GET", game + "/config/faulty", admin=False)
    here.call("GET", game + "/config/variant?player=v", admin=False)
    here.call("POST", game + "/config/variant/simulate", {"players": 10})
    here.call("PUT", game + "/overrides/code", {"value": "XY"})
    masked = here.call("PUT", game + "/players/v/overrides/code", {"value": "Z", "from": instant(3600), "until": instant(7200)})
    expect(masked["in_force"]["masked"], True, "the value that the caller may not read")
    here.call("PUT", game + "/overrides/text", {"value": "other"})
    here.call("GET", game + "/changes")
    play = here.call("POST", game + "/players/v/plays", {"context": {"platform": "ios"}})
    here.call("GET", game + "/players/v/changes")
    here.call("GET", f"{game}/players/v/plays/{play['play']}")
    verdict = here.call("POST", game + "/players/v/gates/endless", {"args": {"n": 1}}, admin=False)
    expect(verdict["reason"], "UNDECIDED", "the gate")
    for level in range(3):
        here.call("POST", game + "/players/v/events", {"event": "game_over", "mode": "classic", "score": 5, "details": {"level": level}})
    here.call("GET", game + "/players/v/bests?event=game_over&limit=1")
    here.call("GET", game + "/players/v/milestones")
    here.call("GET", game + "/products")
    answer = here.call("POST", game + "/players/v/events", {"event": "checked", "details": {"n": 1}})
    expect(len(answer["warnings"]), 1, "the warnings")


def templates(here: Daemon) -> None:
    game = "/v1/games/rare"
    firebase = {
        "conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
        "parameters": {
            "text": {
                "defaultValue": {"useInAppDefault": True}, "conditionalValues": {"ios": {"value": "A"}}, "valueType": "STRING", "description": "A text.",
            },
            "tree": {"defaultValue": {"value": "{}"}, "conditionalValues": {"ios": {"useInAppDefault": True}}, "valueType": "JSON"},
            "size": {"defaultValue": {"value": "2"}, "valueType": "PARAMETER_VALUE_TYPE_UNSPECIFIED"},
        },
        "parameterGroups": {"group": {"description": "A group.", "parameters": {
            "speed": {"defaultValue": {"value": "2"}, "conditionalValues": {"ios": {"value": "3"}}, "valueType": "NUMBER", "description": "The speed."},
            "off": {"defaultValue": {"value": "true"}, "valueType": "BOOLEAN"},
            "variant": {"defaultValue": {"useInAppDefault": True}, "conditionalValues": {"ios": {"useInAppDefault": True}}, "valueType": "STRING"},
            "trial": {"defaultValue": {"value": "true"}, "valueType": "PARAMETER_VALUE_TYPE_UNSPECIFIED"},
            "works": {"defaultValue": {"value": "true"}, "valueType": "BOOLEAN"},
            "levels": {"defaultValue": {"value": "[1]"}, "valueType": "JSON"},
        }}},
    }
    here.call("PUT", game + "/template?activate=now", firebase)
    here.call("GET", game + "/template")
    rules = {"text": [{"match": {"platform": "ios"}, "value": "B"}]}
    own = {"gameconf_template": 1, "game": "rare", "description": "A template.", "values": {"size": 3}, "rules": rules}
    here.call("PUT", game + "/template?activate=now", own)
    here.call("GET", game + "/template")
    flagd = {"flags": {"text": {"state": "ENABLED", "variants": {"a": "A"}, "defaultVariant": "a"}}}
    here.call("PUT", game + "/template?activate=now", flagd)
    here.call("GET", game + "/template")


def scheduled(here: Daemon) -> None:
    game = "/v1/games/rare"
    own = {"gameconf_template": 1, "values": {"size": 4}}
    expect("scheduled" in here.call("PUT", f"{game}/template?activate={instant(3600)}", own), True, "scheduled")
    here.call("GET", game + "/template/versions")
    here.call("GET", "/v1/status")


def quarantined(here: Daemon) -> None:
    game = "/v1/games/rare"
    here.call("PUT", game + "/overrides/size", {"value": 7})
    text = CATALOG.replace("size: {type: integer,", "size: {type: integer, range: {max: 4},")
    with open(here.folder + "/defaults/rare.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    here.call("POST", "/v1/reload", {})
    omitted = here.call("GET", game + "/overrides/export")["omitted"]
    expect([row.get("because") for row in omitted if row["key"] == "size"], ["quarantined"], "the omission")


def purchases(here: Daemon) -> None:
    game = "/v1/games/rare"
    behaviour = game + "/players/s/store/behaviour"
    for error in ["unknown", "system_error", "not_available_in_storefront", "not_entitled", "product_unavailable", "invalid_quantity"]:
        here.call("PUT", behaviour, {"fail": {"purchase": {"error": error}}})
    for error in ["invalid_certificate_chain", "revoked_certificate", "invalid_encoding", "invalid_device_verification", "missing_required_properties"]:
        here.call("PUT", behaviour, {"fail": {"verification": {"error": error}}})
    here.call("PUT", behaviour, {"grace": "always"})

    player = game + "/players/b"

    def buy(product: str) -> str:
        return player + "/transactions/" + here.call("POST", player + "/purchases", {"product": product})["transaction"]["id"]

    def advance(duration: str) -> None:
        here.call("PUT", player + "/clock", {"advance": duration})

    here.call("POST", buy("pass") + "/refund_decline", {})
    buy("front")
    here.call("GET", player + "/entitlements")
    # A change to a lower level is scheduled, then cancelled by buying the present product again.
    go = buy("go")
    buy("low")
    buy("go")
    here.call("POST", go + "/revoke", {})
    trial = buy("trial")
    here.call("POST", trial + "/expire", {})
    trial = buy("trial")
    here.call("POST", trial + "/change_price", {"amount": "9.00", "currency": "USD", "needs_consent": True})
    advance("P2M")
    here.call("GET", player + "/transactions?acts=true")
    here.call("GET", player + "/store/log?limit=1000")
    trial = buy("trial")
    here.call("PUT", player + "/store/behaviour", {"billing_fails": True, "grace": "never"})
    advance("P4M")
    here.call("POST", player + "/grants", {"entitlement": "pro"})
    granted = here.call("POST", player + "/grants", {"entitlement": "pass", "period": "P1M"})["transaction"]["id"]
    here.call("DELETE", f"{player}/transactions/{granted}", status=(204,))
    here.call("GET", player + "/store/log?limit=1000")
    here.call("DELETE", player + "/transactions", status=(204,))
    here.call("GET", player + "/store/log?limit=1000")


def live(here: Daemon) -> None:
    game = "/v1/games/rare"
    samples: list = []
    here.call("PUT", game + "/overrides/text", {"value": "x" * 10_000})
    threads = [
        threading.Thread(target=lambda path=path: samples.append(here.call("GET", game + path)))
        for path in ["/live/sample?seconds=1", "/live/sample?seconds=1&player=nobody"]
    ]
    for thread in threads:
        thread.start()
    # A sample does not say when it begins, so there are requests until it has ended.
    rounds = 0
    while any(thread.is_alive() for thread in threads):
        rounds += 1
        here.call("PUT", game + "/overrides/size", {"value": rounds % 4})
        here.call("GET", game + "/config/speed?player=l", admin=False)
        here.call("GET", game + "/config/variant?player=l", admin=False)
        here.call("GET", game + "/config/code", admin=False, status=(403,))
        here.call("GET", game + "/config/text", admin=False)
        here.call("GET", game + "/config/code", status=(403,))
        here.call("GET", game + "/config/code/explain")
        here.call("GET", game + "/config?keys=code")
        here.call("GET", game + "/config?keys=speed,size", admin=False)
        here.call("GET", game + "/config", admin=False)
        here.call("GET", game + "/config/nothing", admin=False, status=(404,))
        here.call("POST", game + "/players/l/events", {"event": "minor"}, admin=False)
        here.call("POST", game + "/players/l/events", {"event": "game_over", "mode": "classic", "score": 2, "details": {"level": 1}}, admin=False)
        here.call("POST", game + "/players/l/purchases", {"product": "pass"}, admin=False)
    expect([bool(sample["lines"]) for sample in sorted(samples, key=lambda sample: "player" in sample)], [True, False], "the samples with lines")
    watch, stream = Unix(here.folder + "/run/games.sock"), Unix(here.folder + "/run/admin.sock")
    with contextlib.closing(watch), contextlib.closing(stream):
        stream.request("GET", game + "/live?player=nobody")
        lines = stream.getresponse()
        expect(json.loads(lines.readline()).get("unknown_player"), True, "the first line")
        watch.request("GET", game + "/watch?player=nobody")
        watch.getresponse().readline()
        here.call("PUT", game + "/overrides/size", {"value": 2})
        lines.readline()


def damaged(here: Daemon) -> None:
    """Restarts the daemon on a database in which an override cannot be read and the number of free pages is wrong, with a port for metrics."""
    here.stop()
    with contextlib.closing(sqlite3.connect(here.folder + "/state/gameconfd.db", isolation_level=None)) as database:
        database.execute("UPDATE overrides SET value = '{' WHERE key = 'size'")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(here.folder + "/state/gameconfd.db", "r+b") as file:
        # The number of free pages, in the file's head: more than there are.
        file.seek(36)
        file.write((1_000).to_bytes(4, "big"))
    names = ["games", "admin", "metrics"]
    with contextlib.ExitStack() as stack:
        numbers = []
        for name in names:
            listener = stack.enter_context(contextlib.closing(socket.socket(socket.AF_INET if name == "metrics" else socket.AF_UNIX)))
            if name == "metrics":
                listener.bind(("127.0.0.1", 0))
            else:
                path = f"{here.folder}/run/{name}.sock"
                with contextlib.suppress(FileNotFoundError):
                    os.remove(path)
                listener.bind(path)
            listener.listen()
            numbers.append(fcntl.fcntl(listener.fileno(), fcntl.F_DUPFD, 20))
        # As systemd passes them.
        script = f'exec 3<&{numbers[0]} 4<&{numbers[1]} 5<&{numbers[2]}; LISTEN_PID=$$ LISTEN_FDS=3 LISTEN_FDNAMES={":".join(names)} exec "$@"'
        here.start(["/bin/bash", "-c", script, "bash"], pass_fds=numbers)
        for number in numbers:
            os.close(number)
    status = here.call("GET", "/v1/status")
    expect([row["name"] for row in status["store"]["unreadable"]], ["size"], "the rows that cannot be read")
    expect("metrics" in {each["kind"] for each in status["sockets"]}, True, "the sockets")
    check = here.call("POST", "/v1/store/check")
    expect(check["whole"], False, "the check")


def main() -> None:
    program = os.path.abspath(sys.argv[1])
    scratch = tempfile.mkdtemp(dir="/tmp", prefix="gc-rare.")  # short: a socket's path holds 107 bytes
    here = None
    try:
        here = Daemon(program, scratch + "/a", {"rare": CATALOG})
        ads(here)
        values(here)
        templates(here)
        purchases(here)
        live(here)
        scheduled(here)
        quarantined(here)
        damaged(here)
    finally:
        if here is not None:
            here.stop()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
