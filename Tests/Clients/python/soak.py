"""Ten games that play on while the daemon is killed and started again: no frame blocks, no revision goes back, every event counts once.

    GAMECONF_LIBRARY=libgameconf.so.1 python3 soak.py GAMECONFD GAMECONFCTL DEFAULTS [KILLS]

Run by hand; prints what it saw and ends with 1 when something was not so.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from gameconf import LIVE, Game

daemon, control, defaults = sys.argv[1:4]
kills = int(sys.argv[4]) if len(sys.argv) > 4 else 50
folder = tempfile.mkdtemp(prefix="gc-soak-", dir="/tmp")
sockets = {"GAMECONF_SOCKET": f"{folder}/run/games.sock", "GAMECONF_ADMIN_SOCKET": f"{folder}/run/admin.sock"}
os.makedirs(f"{folder}/state", mode=0o700)
random.seed(1)


def start() -> subprocess.Popen:
    return subprocess.Popen(
        [daemon, "--defaults", defaults, "--runtime-dir", f"{folder}/run", "--state-dir", f"{folder}/state"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


games = [Game("wheresthedot", player=f"soak{at}", socket=sockets["GAMECONF_SOCKET"], cache=folder) for at in range(8)]
# Two of one player, as two devices.
games += [Game("wheresthedot", player=f"soak{at}", socket=sockets["GAMECONF_SOCKET"], cache=folder) for at in (0, 1)]
players = [f"soak{at}" for at in [*range(8), 0, 1]]
recorded = {player: 0 for player in players}
seen = [(0, 0)] * len(games)
answered = refused = back = frames = 0
longest = 0.0
live_after: list[float] = []


def frame() -> None:
    global answered, refused, back, frames, longest
    for at, game in enumerate(games):
        began = time.perf_counter()
        list(game.update())
        if game.double("arcade_time_limit_base", -1.0) == -1.0 and seen[at] != (0, 0):
            back += 1
        longest = max(longest, time.perf_counter() - began)
        status = game.status
        if status.epoch == seen[at][0] and status.revision < seen[at][1]:
            back += 1
        seen[at] = (status.epoch, status.revision)
        for answer in game.answers():
            answered += 1
            if answer.status != 200:
                refused += 1
                print("answered", answer.status, json.dumps(answer.body)[:200])
    frames += 1
    time.sleep(1 / 240)


process = start()
for kill in range(kills):
    until = time.monotonic() + random.uniform(0.5, 1.5)
    while time.monotonic() < until:
        frame()
        if frames % 10 == 0:
            at = random.randrange(len(games))
            games[at].event("game_over", mode="classic", score=random.randrange(100), reason="timeUp")
            recorded[players[at]] += 1
    if kill % 5 == 0:
        subprocess.run([control, "config", "set", "wheresthedot", "arcade_time_limit_base", str(2 + kill / 100)],
                       env={**os.environ, **sockets}, capture_output=True)
    process.send_signal(random.choice([signal.SIGKILL, signal.SIGTERM]))
    process.wait()
    process = start()
began = time.monotonic()
while any(game.status.state != LIVE for game in games) and time.monotonic() < began + 60:
    frame()
print(f"all live {time.monotonic() - began:.2f} s after the last start")
while any(game.status.queued for game in games) and time.monotonic() < began + 120:
    frame()
counted = {}
for player in recorded:
    asked = subprocess.run([control, "player", "show", "wheresthedot", player, "--json"], env={**os.environ, **sockets}, capture_output=True,
                           text=True)
    counted[player] = json.loads(asked.stdout)["scores"]["games_played"]
process.terminate()
process.wait()
print(f"{kills} kills, {frames} rounds of {len(games)} games, the longest frame {longest * 1000:.1f} ms (beside others on the machine)")
print(f"{sum(recorded.values())} events, {answered} answers, {refused} refused, {back} steps back or lost values")
wrong = {player: (recorded[player], counted[player]) for player in recorded if recorded[player] != counted[player]}
print("each event counted once" if not wrong else f"recorded and counted differ: {wrong}")
sys.exit(1 if wrong or refused or back else 0)
