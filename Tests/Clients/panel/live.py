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
