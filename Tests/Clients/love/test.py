"""Where's The Dot, played by scripts: what the game prints and what the daemon says afterwards must be one story.

    test.py FOLDER-OF-THE-LIBRARY [SOCKET]
"""

import json
import os
import shutil
import struct
import subprocess
import sys

scratch = sys.argv[1]
socket = sys.argv[2] if len(sys.argv) > 2 else None
here = os.path.dirname(os.path.abspath(__file__))
library = os.path.join(here, "../../../Sources/CGameConf")
header = os.path.join(library, "include/gameconf.h")
game = os.path.join(library, "sample")


def same(found, wanted, what: str) -> None:
    if found != wanted:
        sys.exit(f"love: {what} is {found!r} rather than {wanted!r}")


WIDTH, HEIGHT = 1024, 640
BOARD = (32, 32, 664, 576)


def picture(path: str, area: tuple[int, int, int, int] = (0, 0, WIDTH, HEIGHT)) -> bytes:
    """The pixels of a part of a picture that the game has taken, four bytes each."""
    with open(path, "rb") as file:
        head = file.read(24)
    same((head[:8], struct.unpack(">II", head[16:])), (b"\x89PNG\r\n\x1a\n", (WIDTH, HEIGHT)), path)
    with open(path + ".rgba", "rb") as file:
        data = file.read()
    same(len(data), 4 * WIDTH * HEIGHT, f"the length of {path}.rgba")
    x, y, width, height = area
    return b"".join(data[4 * (row * WIDTH + x):4 * (row * WIDTH + x + width)] for row in range(y, y + height))


def bright(pixels: bytes) -> int:
    """How many pixels are as bright as a dot."""
    return sum(max(pixels[at:at + 3]) > 200 for at in range(0, len(pixels), 4))


class Play:
    """One run of the game; at `hold` it waits until it is let go."""

    def __init__(self, player: str, script: str, *more: str, path: str | None = socket):
        name = os.path.join(scratch, "script")
        with open(name, "w") as file:
            file.write(script)
        self.process = subprocess.Popen(
            ["love", game, "--player", player, "--socket", path or "/nowhere", "--library", f"{scratch}/libgameconf.so.1", "--header", header,
             "--seed", "7", "--cache", scratch, "--script", name, *more],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines: list[str] = []

    def until(self, start: str) -> str:
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if self.lines[-1].startswith(start):
                return self.lines[-1]
        sys.exit(f"love: ended before “{start}”:\n" + "\n".join(self.lines))

    def go(self, words: str = "") -> None:
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def end(self) -> list[str]:
        rest, _ = self.process.communicate(timeout=300)
        self.lines += rest.splitlines()
        same(self.process.returncode, 0, "the status of a game that printed\n" + "\n".join(self.lines) + "\nand")
        return self.lines


def control(*words: str) -> str:
    done = subprocess.run(["gameconfctl", *words], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"love: {words} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def has(lines: list[str], *wanted: str) -> None:
    for line in wanted:
        if line not in lines:
            sys.exit(f"love: the game did not print “{line}” but\n" + "\n".join(lines))


def offline() -> None:
    lines = Play("nobody", "reads no daemon\npress classic\nright 3\nwrong\nreads kept, and sent when the daemon is there\nquit\n", path=None).end()
    has(lines, "over classic 3 wrongTap")
    same([line for line in lines if line.startswith("recorded")], [], "what is recorded without a daemon")
    print("love: without a daemon it is played all the same")


def three_modes() -> None:
    control("flag", "on", "wheresthedot", "daily_mode_enabled")
    # A forest that a round of the test earns, and an arcade timer that does not last.
    control("theme", "milestone", "wheresthedot", "forest", "5")
    control("config", "set", "wheresthedot", "arcade_time_limit_base", "1.5")
    lines = Play("ana", """
live
reads · live
key arcade_time_limit_base 1.5
key daily_mode_enabled true
frames 8
press classic
right 4
wrong
told
press menu
frames 8
press arcade
right 3
idle
told
unlocked forest
press menu
frames 8
press daily
right 2
wrong
await ad
reads SIMULATED AD
reads No such firm exists
frames 200
press close
await over
press menu
frames 8
press themes
frames 8
press theme.forest
key selected_theme forest
press back
frames 8
press store
reads Everything here is simulated
press buy.removeads
adfree
sent
press back
frames 8
press settings
frames 8
press sound_enabled
key sound_enabled false
sent
press back
frames 8
press classic
right 11
choosing
shot """ + scratch + """/forest.png
wrong
told
frames 90
sent
quit
""").end()
    has(lines, "over classic 4 wrongTap", "over arcade 3 timeUp", "unlocked forest", "over daily 2 wrongTap", "ad show", "screen ad", "purchase success",
        "recorded 20 games 4 best 11")
    same([line for line in lines if line.startswith(("refused", "misread"))], [], "what was refused or misread")
    same(lines.count("screen ad"), 1, "the number of ads")
    known = json.loads(control("player", "show", "wheresthedot", "ana", "--json"))
    same(known["scores"]["best_scores"], {"arcade": 3, "classic": 11, "daily": 2}, "the best scores")
    same((known["scores"]["lifetime_score"], known["scores"]["games_played"]), (20, 4), "the scores")
    settings = {each["key"]: each["value"] for each in known["settings"]}
    same((settings["selected_theme"], settings["sound_enabled"]), ("forest", False), "the settings")
    same([each["theme"] for each in known["themes"] if each["unlocked"]], ["neon", "forest"], "the themes")
    same(known["ads"][0]["counters"]["shows_ever"], 1, "the ads shown")
    same((known["ads"][0]["would_show"], known["ads"][0]["reason"]), (False, "AD_FREE"), "the next ad")
    status = json.loads(control("iap", "status", "wheresthedot", "ana", "--json"))["entitlements"]
    same((status["is_ad_free"], status["purchased"]["removeads"]), (True, True), "what is bought")
    print("love: three modes, a theme earned and chosen, an ad seen, one bought away")


def felt_at_once() -> None:
    """Two pictures of a game in which time stands: they are the same until an admin sets a value, and then at the next frame they are not."""
    play = Play("eve", f"""
live
frames 8
press arcade
right 9
choosing
still
shot {scratch}/before.png
frames 3
shot {scratch}/again.png
hold
shot {scratch}/after.png
quit
""")
    held = int(play.until("holding").split()[2])
    control("config", "set", "wheresthedot", "arcade_radius_base", "40", "--reason", "seen at the next frame")
    play.go("arrived")
    lines = play.end()
    has(lines, f"changed arcade_radius_base frame {held + 1} override.game")
    before, again, after = (picture(f"{scratch}/{name}.png", BOARD) for name in ("before", "again", "after"))
    same(before == again, True, "that a board on which nothing happens looks the same")
    same(before == after, False, "that a board with dots twice as large looks the same")
    small, large = bright(before), bright(after)
    same(large > 2 * small, True, f"{small} bright pixels before and {large} after: that these are more than twice as many")
    print(f"love: `config set` is seen at the next frame, {held + 1}; {small} bright pixels on the board became {large}")
    control("config", "reset", "wheresthedot", "arcade_radius_base")


def daily() -> None:
    """Today's board is everybody's, whoever plays with whatever seed of their own; tomorrow's is another."""
    boards, day = [], control("config", "get", "wheresthedot", "daily_seed")
    for player, seed in (("uma", "1"), ("ben", "2"), ("kit", "2")):
        if player == "kit":
            control("player", "clock", "wheresthedot", player, "offset", "1d")
        lines = Play(player, "live\nkey daily_mode_enabled true\nframes 3\npress daily\nright 6\nwrong\ntold\nquit\n", "--seed", seed).end()
        boards.append([line for line in lines if line.startswith(("play daily seed", "dots"))])
    if control("config", "get", "wheresthedot", "daily_seed") != day:
        return daily()  # midnight came in between
    same(len(boards[0]), 2, "the seed and the dots of a daily game among\n" + "\n".join(boards[0]) + "\n")
    same(len(boards[0][1].split()), 8, "how many dots there were")
    same(boards[0], boards[1], "the other player's board of the same day")
    same(any(one == other for one, other in zip(boards[0], boards[2])), False, "that tomorrow's seed or dots are today's")
    print(f"love: the daily game is one board for everybody: {boards[0][0]}; tomorrow it is another")


def premium() -> None:
    """On every game over an ad is due; `iap premium` takes them away while the game runs."""
    control("config", "set", "wheresthedot", "interstitial_every_n_game_overs", "1")
    play = Play("kim", """
live
frames 8
press classic
right 1
wrong
await ad
hold
adfree
frames 200
press close
await over
frames 8
press again
right 2
wrong
told
frames 120
sent
quit
""")
    play.until("holding")
    control("iap", "premium", "wheresthedot", "kim", "on")
    play.go()
    lines = play.end()
    has(lines, "entitlement premium on", "ad show", "ad AD_FREE")
    same(lines.count("screen ad"), 1, "the number of ads")
    print("love: `iap premium` takes the ads away")


offline()
if socket:
    three_modes()
    felt_at_once()
    premium()
    daily()
    if os.environ.get("GAMECONF_SHOT"):
        shutil.copy(f"{scratch}/forest.png", os.environ["GAMECONF_SHOT"])
