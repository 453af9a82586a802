"""The panel in a browser: what a tester does there must be felt by a running game, and attacks must fail.

    test.py [SOCKET]
"""

import os
import sys
import time

import attacks
from attacks import same
from browser import RIGHT, Browser
from program import ADMIN, Game, Panel, ask

KEY = "arcade_time_limit_base"


def slider(browser: Browser, started: float) -> None:
    """A slider is moved and a running game feels it; then it is taken back."""
    game = Game("wheresthedot", KEY)
    before = ask("GET", f"/v1/games/wheresthedot/config/{KEY}")[1]["value"]
    browser.press(f"input[type=range][aria-label='{KEY}']", RIGHT * 3)
    felt = game.felt()
    print(f"panel: felt by a running game {time.monotonic() - started:.2f} s after the command was typed")
    if not before < felt <= before + 0.31:
        raise AssertionError(f"panel: the game felt {felt} after {before}")
    browser.until("document.querySelector('#done .line code')?.textContent.startsWith('gameconfctl config set wheresthedot arcade_time_limit_base ')")
    browser.button("Undo", "#done")
    same(game.felt(), before, "the value after the undo")


def main() -> None:
    started = time.monotonic()
    panel = Panel("wheresthedot")
    browser = Browser()
    try:
        started = time.monotonic()
        browser.open(panel.address)
        browser.until("document.querySelector('.live.good') !== null")
        same(browser.run("return location.hash.includes('code')"), False, "a code in the address")
        slider(browser, started)
        same([line for line in browser.log() if "favicon" not in line], [], "what the page logged")
        attacked = Panel("wheresthedot")
        try:
            attacks.run(attacked)
        finally:
            attacked.end()
        panel.end()
        browser.until("document.querySelector('.live.wait') !== null")
    finally:
        browser.end()
        if panel.process.poll() is None:
            panel.end()


if not ADMIN:
    sys.exit("panel: SKIPPED, NOTHING OF THE PANEL WAS TRIED IN A BROWSER: no daemon is built")
main()
