"""Every value of the shipped games goes through its control in the panel without a change, in every language, byte for byte."""

import json

from attacks import same
from browser import CONTROL, ENTER, Browser
from program import ADMIN, Panel, ask, told
from truth import clean, opened

GAMES = ["wheresthedot", "remembersquare", "dartsscore", "kidsdoku2", "adventure"]
PLAYER = "round-trip"

# Sets each value as its control shows it: "field" by the focus and the keys of the control, "above" by the row's button "Override with the value above".
SAVE = """
const [way, done] = arguments;
(async () => {
	const saved = {};
	for (const row of document.querySelectorAll('#main gc-row')) {
		const input = row.querySelector('.control textarea, .control input:not([type=range])');
		// What the row's own function for a change gives ends with the daemon's answer.
		const committed = new Promise(done => { row.commit = (...words) => { delete row.commit; done(row.commit(...words)); }; });
		if (way === 'field') {
			if (!input) {
				delete row.commit;
				continue;
			}
			input.focus();
			await input.$on?.focus?.({target: input});
			input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', ctrlKey: true}));
		} else {
			row.open();
			[...row.querySelectorAll('.more button')].find(one => one.textContent === 'Override with the value above').click();
		}
		await committed;
		if (way !== 'field') row.open();
		saved[row.key] = {refusal: row.querySelector('.refusal').hidden ? null : row.querySelector('.refusal').textContent, isDirty: row.isEdited};
	}
	return saved;
})().then(done, error => done(String(error)));
"""


def stored(game: str, locales: list[str], player: str = "") -> dict[str, str]:
    """The values as the daemon writes them: each language alone, and all as they are stored."""
    texts = {}
    for locale in [*locales, "*"]:
        text = told("GET", f"/v1/games/{game}/config?locale={locale}" + (f"&player={player}" if player else ""))[1]
        texts[locale] = text[text.index('"values":'):]
    return texts


def everything(browser: Browser, panel: Panel, game: str) -> int:
    """Saves each value for everybody as its control shows it."""
    catalog = ask("GET", f"/v1/games/{game}/catalog")[1]
    keys = [one["key"] for one in catalog["parameters"]]
    before = stored(game, catalog["locales"])
    opened(browser, panel, "values", game=game)
    browser.until("document.querySelectorAll('#main gc-row').length === arguments[0]", len(keys))
    for way in ("field", "above"):
        saved = browser.run_async(SAVE, way)
        same(isinstance(saved, dict), True, f"what saving {game} says: {saved}")
        same({key: one for key, one in saved.items() if one["refusal"] or one["isDirty"]}, {}, f"the refused values of {game}")
        same([one for one in stored(game, catalog["locales"]).items() if one[1] != before[one[0]]], [], f"the values of {game} after they were set by “{way}”")
        overrides = ask("GET", f"/v1/games/{game}/overrides", path=ADMIN)[1]["overrides"]
        same(sorted(one["key"] for one in overrides), sorted(saved), f"the overrides of {game}")
        ask("POST", f"/v1/games/{game}/overrides/clear", {"scope": "all"}, ADMIN)
        browser.until("document.querySelectorAll('#main gc-row[changed]').length === 0")
    same(sorted(saved), sorted(keys), f"the rows of {game}")
    if any(one["type"] == "localized" for one in catalog["parameters"]):
        same(browser.run("return new Set([...document.querySelectorAll('gc-row[kind=localized] textarea')].map(one => one.lang)).size"), len(catalog["locales"]), f"the languages of {game}")
    clean(browser, f"the values of {game}")
    return len(keys)


def by_keys(browser: Browser, panel: Panel, game: str) -> int:
    """Saves one value of each kind of control by keys, for one player."""
    locales = ask("GET", f"/v1/games/{game}/catalog")[1]["locales"]
    before = stored(game, locales, PLAYER)
    opened(browser, panel, "values", PLAYER, game)
    rows = browser.run("const kinds = {}; for (const row of document.querySelectorAll('#main gc-row')) { const field = row.querySelector('.control textarea, .control input:not([type=range])');"
                       " if (field) kinds[[row.parameter.type, field.tagName, field.type, row.control.className]] ??= [row.key, field.ariaLabel]; } return Object.values(kinds)")
    for key, label in rows:
        field = f"gc-row [aria-label={json.dumps(label)}]"
        browser.run_async("const done = arguments[1], field = document.querySelector(arguments[0]); field.focus(); Promise.resolve(field.$on?.focus?.({target: field})).then(done, done)", field)
        browser.press(field, CONTROL + ENTER)
        browser.until("document.querySelector('#done .what')?.innerText.startsWith(arguments[0] + ' ')", key)
        overridden = ask("GET", f"/v1/games/{game}/players/{PLAYER}/overrides/{key}", path=ADMIN)[1]["overrides"]
        same(len(overridden), 1, f"an override of {key}")
        same([one for one in stored(game, locales, PLAYER).items() if one[1] != before[one[0]]], [], f"the values of {game} after {key} was set")
    ask("DELETE", f"/v1/games/{game}/players/{PLAYER}", path=ADMIN)
    return len(rows)


def run(browser: Browser) -> None:
    panel = Panel(GAMES[0])
    try:
        whole = sum(everything(browser, panel, game) for game in GAMES)
        keys = sum(by_keys(browser, panel, game) for game in GAMES)
    finally:
        panel.end()
    print(f"panel: {whole} values of {len(GAMES)} games saved unchanged, {keys} of them by keys")
