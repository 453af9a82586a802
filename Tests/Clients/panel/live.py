"""The screen Live and the marks beside overrides: a tester sets a value, sees that no game asks, starts a game, and sees it ask and get it."""

from attacks import same
from browser import ENTER, Browser
from program import ADMIN, ask

GAME, KEY = "wheresthedot", "arcade_radius_base"
ROW = f"gc-row:has([aria-label='{KEY}'])"


def mark(browser: Browser, start: str) -> None:
    browser.until("document.querySelector(arguments[0] + ' .read')?.textContent.startsWith(arguments[1])", ROW, start)


def run(browser: Browser, show) -> None:
    show(browser, "values")
    browser.run("document.querySelector(arguments[0]).value = ''", f"input[aria-label='{KEY}']")
    browser.press(f"input[aria-label='{KEY}']", "23" + ENTER)
    mark(browser, "no request to the daemon since it was set; games that map the file are not seen")
    show(browser, "live")
    browser.until("document.querySelector('#main h2 small')?.textContent.startsWith('requests to ')")
    # The game starts.
    same(ask("GET", f"/v1/games/{GAME}/config/{KEY}")[1]["value"], 23.0, "what the game gets")
    ask("GET", f"/v1/games/{GAME}/config/{KEY}?player=%3Cimg%20src%3Dx%3E%E2%80%AE")
    browser.until("document.querySelectorAll('#main ol.rows > li').length >= 2")
    lines = browser.run("return [...document.querySelectorAll('#main ol.rows > li')].map(one => one.textContent)")
    same(any(f"{KEY}: 23" in line and "override.game" in line and "by value" in line and "game" in line for line in lines), True, f"a line of {lines}")
    same(browser.run("return document.querySelectorAll('#main img').length"), 0, "markup of a player")
    same(any("<img src=x>" in line for line in lines), True, "a player's text")
    show(browser, "values")
    mark(browser, "read on this host ")
    ask("DELETE", f"/v1/games/{GAME}/overrides/{KEY}", path=ADMIN)
    browser.until("!document.querySelector(arguments[0] + ' .read')?.textContent", ROW)


def fill(browser: Browser, player: str) -> None:
    """Requests of every kind about a player, and waits until the screen has their lines."""
    at = f"/v1/games/{GAME}"
    ask("GET", f"{at}/config/{KEY}?player={player}")
    ask("GET", f"{at}/config?player={player}")
    ask("GET", f"{at}/config/{KEY}_?player={player}")
    ask("POST", f"{at}/players/{player}/events", {"event": "game_over", "mode": "classic", "score": 7, "reason": "timeUp"})
    ask("POST", f"{at}/players/{player}/purchases", {"product": "removeads"})
    kinds = "[...new Set([...document.querySelectorAll('#main ol.rows .chip')].map(one => one.textContent))]"
    browser.until(f"['read', 'refusal', 'event', 'ad', 'purchase'].every(one => {kinds}.includes(one))")
