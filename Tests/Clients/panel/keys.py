"""A tester's list by keys alone: each key comes after the page's next redraw, and the focus is never lost."""

import program
from attacks import same
from browser import CONTROL, DOWN, ENTER, ESCAPE, LEFT, RIGHT, SHIFT, SPACE, TAB, Browser
from program import Panel, ask
from truth import clean, opened

GAME, STORE, KEY, PLAYER = "wheresthedot", "kidsdoku2", "arcade_time_limit_base", "keys"
TABS_MOST = 90


class Keyboard:
    """The keys of one window, counted."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self.count = 0

    def press(self, *keys: str) -> None:
        """One key, or one with others held."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        up = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.browser.ask("POST", self.browser.session + "/actions", {"actions": [{"type": "key", "id": "keys", "actions": down + up}]})
        self.count += 1
        self.browser.run_async("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(1)))")
        same(self.browser.run("return document.activeElement === document.body || !document.activeElement.isConnected"), False, f"the focus is lost after {keys!r}")

    def type(self, words: str) -> None:
        for letter in words:
            self.press(letter)

    def focus(self) -> str:
        return self.browser.run("const at = document.activeElement; return at.tagName + ' ' + (at.ariaLabel ?? at.textContent)")

    def to(self, selector: str) -> None:
        """Goes to a control by Tab, forward or back."""
        self.browser.until("document.querySelector(arguments[0]) !== null", selector)
        for _ in range(TABS_MOST):
            # Out of the bar that says what was done the way leads on.
            where = self.browser.run("const wanted = document.querySelector(arguments[0]), at = document.activeElement;"
                                     " return wanted === at ? 0 : !at.closest('#done') && at.compareDocumentPosition(wanted) & 2 ? -1 : 1", selector)
            if where == 0:
                return
            self.press(*([SHIFT, TAB] if where < 0 else [TAB]))
        raise AssertionError(f"panel: {selector} is not reached by {TABS_MOST} keys; the focus is at {self.focus()}")

    def screen(self, title: str) -> None:
        name = self.browser.run("return [...document.querySelectorAll('#tabs button')].findIndex(one => one.innerText.trim() === arguments[0]) + 1", title)
        self.to(f"#tabs button:nth-child({name})")
        self.press(ENTER)
        self.browser.until("document.title.endsWith(arguments[0]) && !document.querySelector('#main .waiting')", title)

    def acts(self, *keys: str, says: str) -> None:
        """A key that does something: the page says so aloud, and the focus stays."""
        drawn = self.browser.run("document.querySelector('#say').textContent = ''; return document.querySelector('.page')?.dataset.drawn ?? null")
        at = self.focus()
        self.press(*keys)
        self.browser.until("document.querySelector('#say').textContent.includes(arguments[0])", says)
        self.browser.until("(document.querySelector('.page')?.dataset.drawn ?? null) !== arguments[0] || arguments[0] === null", drawn)
        self.browser.run_async("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(1)))")
        same(self.focus(), at, f"the focus after {says!r}")


def choose(keys: Keyboard, name: str) -> None:
    keys.to(".who")
    keys.press(ENTER)
    keys.browser.until("document.activeElement.matches('#people input')")
    keys.type(name)
    keys.press(DOWN)
    keys.press(ENTER)
    keys.browser.until("document.querySelector('.who').innerText.includes(arguments[0]) && document.querySelector('.live.good') && !document.querySelector('#main .waiting')", name)


def read(path: str):
    return ask("GET", path, None, program.ADMIN)[1]


def value(keys: Keyboard, browser: Browser) -> None:
    """A value for an hour for one player, tuned three times."""
    slider = f"input[type=range][aria-label='{KEY}']"
    keys.press("/")
    same(browser.run("return document.activeElement.ariaLabel"), "Filter", "the focus after /")
    keys.type(KEY)
    browser.until("document.querySelectorAll('gc-row:not([hidden])').length === 1")
    keys.to("gc-row:not([hidden]) .open")
    keys.press(ENTER)
    keys.to("gc-row:not([hidden]) select[name=for]")
    keys.type("1 h")
    same(browser.run("return document.activeElement.value"), "3600", "an hour")
    keys.to(slider)
    keys.acts(RIGHT, says=f"{KEY} is overridden with 2.6")
    path = f"/v1/games/{GAME}/players/{PLAYER}/overrides/{KEY}"
    window = read(path)["overrides"][0]["window"]
    for wanted in (2.7, 2.8, 2.9):
        keys.acts(RIGHT, says=f"{KEY} is overridden with {wanted}")
    same([(one["window"], one["value"]) for one in read(path)["overrides"]], [(window, 2.9)], "the window after it was tuned by keys")
    # Undo is next, and the slider has the focus again after it.
    keys.press(TAB)
    same(browser.run("return document.activeElement.className"), "undo", "the control after an act")
    browser.run("document.querySelector('#say').textContent = ''")
    keys.press(ENTER)
    browser.until("document.querySelector('#say').textContent.includes('is as before')")
    browser.until("document.activeElement.type === 'range'")
    same(read(path)["overrides"][0]["value"], 2.8, "the value after Undo")
    browser.run("document.querySelector('#say').textContent = ''")
    keys.press(CONTROL, "z")
    browser.until("document.querySelector('#say').textContent.includes('is as before')")
    same(read(path)["overrides"][0]["value"], 2.7, "the value after Ctrl-Z")
    keys.to("gc-row:not([hidden]) select[name=for]")
    keys.press(ESCAPE)
    same(browser.run("return document.activeElement.className"), "open", "the focus after Escape")


def others(keys: Keyboard, browser: Browser) -> None:
    """A value that somebody else has changed since is undone after a question only."""
    ask("PUT", f"/v1/games/{GAME}/players/{PLAYER}/overrides/arcade_radius_base", {"value": 20}, program.ADMIN)
    keys.screen("Values")
    keys.press("/")
    keys.press(CONTROL, "a")
    keys.type("arcade_difficulty_step")
    browser.until("document.querySelectorAll('gc-row:not([hidden])').length === 1")
    keys.to("input[type=range][aria-label=arcade_difficulty_step]")
    keys.acts(RIGHT, says="arcade_difficulty_step is overridden with 6")
    ask("PUT", f"/v1/games/{GAME}/players/{PLAYER}/overrides/arcade_difficulty_step", {"value": 9}, program.ADMIN)
    keys.press(CONTROL, "z")
    browser.until("document.querySelector('#done .conflict button') === document.activeElement")
    same("has changed it since, to 9" in browser.run("return document.querySelector('#done').innerText"), True, "the question before an undo")
    clean(browser, "a question before an undo")
    keys.press(ESCAPE)
    same(read(f"/v1/games/{GAME}/config/arcade_difficulty_step?player={PLAYER}")["value"], 9, "the value after Escape")


def store(keys: Keyboard, browser: Browser) -> None:
    keys.screen("Store")
    keys.to("button[aria-label=Premium]")
    keys.acts(SPACE, says="Premium is on")
    keys.acts(SPACE, says="premium is off")


def lapse(keys: Keyboard, browser: Browser) -> None:
    """A subscription is bought, lapses, and the next one is refunded."""
    keys.screen("Store")
    keys.to("button[aria-label='Buy Kidsdoku Pro Monthly']")
    keys.acts(ENTER, says="bought for")
    bought = read(f"/v1/games/{STORE}/players/{PLAYER}/transactions")["transactions"][0]["id"]
    keys.to(f"button[aria-label='Expire monthly_sub_2 {bought}']")
    browser.run("document.querySelector('#say').textContent = ''")
    keys.press(ENTER)
    browser.until("document.querySelector('#say').textContent.includes('has expired')")
    keys.to("button[aria-label='Buy Kidsdoku Pro Monthly']")
    keys.acts(ENTER, says="bought for")
    again = read(f"/v1/games/{STORE}/players/{PLAYER}/transactions")["transactions"][-1]["id"]
    keys.to(f"button[aria-label='Refund monthly_sub_2 {again}']")
    browser.run("document.querySelector('#say').textContent = ''")
    keys.press(ENTER)
    browser.until("document.querySelector('#say').textContent.includes('is refunded')")
    same(read(f"/v1/games/{STORE}/players/{PLAYER}/entitlements")["subscriptions"][0]["state"], "revoked", "the subscription after a refund by keys")


def run(browser: Browser) -> None:
    panel = Panel(GAME)
    counts: dict[str, int] = {}
    try:
        keys = Keyboard(browser)

        def counted(name: str, part, *more) -> None:
            before = keys.count
            part(keys, browser, *more)
            counts[name] = keys.count - before

        opened(browser, panel, "values")
        browser.run("document.querySelector('.skip').focus()")
        counted("choose a player", lambda keys, _: choose(keys, PLAYER))
        counted("value for an hour, tuned three times, undone twice", value)

        def flag(keys: Keyboard, browser: Browser) -> None:
            keys.screen("Flags")
            keys.to("button[aria-label=onboarding_enabled]")
            keys.acts(SPACE, says="onboarding_enabled is overridden with false")

        counted("flag", flag)

        def milestone(keys: Keyboard, browser: Browser) -> None:
            keys.screen("Player")
            keys.to("button[aria-label='Reach Forest']")
            browser.run("document.querySelector('#say').textContent = ''")
            keys.press(ENTER)
            browser.until("document.querySelector('#say').textContent.includes('Forest is reached')")
            keys.screen("Themes")
            keys.to("input[aria-label='Points that unlock Ocean']")
            keys.acts(RIGHT, says="Ocean unlocks at 205 points")
            keys.acts(LEFT, says="Ocean unlocks at 200 points")

        counted("milestone", milestone)
        counted("premium", store)

        def ad(keys: Keyboard, browser: Browser) -> None:
            keys.screen("Ads")
            keys.to("button[aria-label='Play game_over at game_over']")
            for says in ("no ad", "no ad", "an ad shows"):
                keys.acts(ENTER, says=says)

        counted("ad after the next game over", ad)
        counted("a change of somebody else", others)

        def audit(keys: Keyboard, browser: Browser) -> None:
            keys.screen("Audit")
            browser.until("document.querySelectorAll('#main .rows > li').length > 3")
            keys.press("/")
            keys.type("root")
            browser.until("document.querySelector('#main h2').innerText.includes('CHANGES') && document.querySelectorAll('#main .rows > li').length > 3")

        counted("who changed what", audit)

        def undo(keys: Keyboard, browser: Browser) -> None:
            keys.to(".sift button")
            keys.press(ENTER)
            browser.until("document.querySelector('.asked .primary') === document.activeElement")
            same("This is undone" in browser.run("return document.querySelector('.asked').innerText"), True, "the list before everything is undone")
            same("arcade_difficulty_step" in browser.run("return document.querySelector('.asked .left')?.innerText ?? ''"), True, "what stays, since somebody else has changed it")
            clean(browser, "the list of what is undone")
            browser.run("document.querySelector('#say').textContent = ''")
            keys.press(ENTER)
            browser.until("document.querySelector('#say').textContent.includes('as before')")
            browser.until("document.querySelector('.asked') === null")
            same(read(f"/v1/games/{GAME}/config/onboarding_enabled?player={PLAYER}")["source"], "default", "a flag after everything is undone")

        counted("undo all of mine", undo)
        opened(browser, panel, "store", "", STORE)
        browser.run("document.querySelector('.skip').focus()")
        choose(keys, PLAYER)
        counted("lapse and refund", lapse)
        print("panel: a tester's list by keys alone: " + ", ".join(f"{name} {count}" for name, count in counts.items()))
    finally:
        panel.end()
