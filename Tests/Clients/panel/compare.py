"""The store in the panel beside the command line, over random histories: the same facts in the same words, and only acts that would be accepted."""

import random
import subprocess

import program
from attacks import same
from browser import Browser
from program import Panel, ask
from truth import clean, opened

GAME = "kidsdoku2"
ACTS = ["approve", "decline", "resolve", "finish", "renew", "cancel", "renewal_on", "billing_retry", "recover", "accept_price", "expire", "refund", "refund_decline", "revoke"]
HISTORIES = 100


def at(player: str, path: str) -> str:
    return f"/v1/games/{GAME}/players/{player}/{path}"


def live(player: str, chance: random.Random) -> None:
    """A player's life at the store: purchases, acts, a clock that moves."""
    products = [one["id"] for one in ask("GET", f"/v1/games/{GAME}/products")[1]["products"]]
    for _ in range(chance.randint(1, 7)):
        kind = chance.random()
        if kind < 0.35:
            ask("POST", at(player, "purchases"), {"product": chance.choice(products)}, program.ADMIN)
        elif kind < 0.5:
            ask("PUT", at(player, "clock"), {"advance": chance.choice(["1h", "P1D", "P1M", "P3M", "P1Y"])}, program.ADMIN)
        elif kind < 0.6:
            ask("PUT", at(player, "store/behaviour"), {"ask_to_buy": chance.random() < 0.5, "billing_fails": chance.random() < 0.3}, program.ADMIN)
        elif kind < 0.68:
            ask("PUT", at(player, "store/premium"), {"on": chance.random() < 0.5}, program.ADMIN)
        else:
            made = ask("GET", at(player, "transactions"), None, program.ADMIN)[1]["transactions"]
            if made:
                ask("POST", at(player, f"transactions/{chance.choice(made[-4:])['id']}/{chance.choice(ACTS)}"), {}, program.ADMIN)


def table(text: str, name: str = "") -> list[list[str]]:
    """The rows of the command line, as it writes them where no terminal is: of a page those of one table, whose name is before each."""
    rows = [line.split("\t") for line in text.splitlines()]
    return [row[1:] for row in rows if row[0] == name] if name else rows


def ctl(*words: str) -> str:
    return subprocess.run(["gameconfctl", *words], capture_output=True, text=True, check=True).stdout


def compare(browser: Browser, panel: Panel, player: str) -> int:
    """Holds the screen of one player against the command line; returns the number of facts."""
    opened(browser, panel, "store", player, GAME)
    page = browser.until("document.querySelector('#history') && {"
                         "transactions: Object.fromEntries([...document.querySelectorAll('[data-transaction]')].map(one => [one.dataset.transaction, {state: one.querySelector('.chip').textContent, acts: [...one.querySelectorAll('button')].map(b => b.textContent)}])),"
                         "entitlements: Object.fromEntries([...document.querySelectorAll('[data-entitlement]')].map(one => [one.dataset.entitlement, [...one.querySelectorAll('.chip')].at(-1).textContent])),"
                         "subscriptions: Object.fromEntries([...document.querySelectorAll('[data-group]')].map(one => [one.dataset.group, [...one.querySelectorAll('.chip')].at(-1).textContent])),"
                         "premium: document.querySelector('[aria-label=Premium]')?.ariaChecked}")
    names = browser.run_async("const done = arguments[0]; import('/store.js').then(store => done(Object.fromEntries(Object.entries(store.acts).map(([id, [label]]) => [label, id]))))")
    listed = {cells[0]: cells[3].replace("_", " ") for cells in table(ctl("iap", "history", GAME, player, "--transactions"))}
    same({id: one["state"] for id, one in page["transactions"].items()}, listed, f"the transactions of {player}")
    status = ctl("iap", "status", GAME, player)
    same(page["entitlements"], {cells[0]: cells[1].replace("_", " ") for cells in table(status, "entitlements")}, f"the entitlements of {player}")
    same(page["subscriptions"], {cells[0]: cells[1].replace("_", " ") for cells in table(status, "subscriptions")}, f"the subscriptions of {player}")
    same(page["premium"], {"on": "true", "off": "false"}[ctl("iap", "premium", GAME, player).split()[0]], f"premium of {player}")
    facts = len(listed) + len(page["entitlements"]) + len(page["subscriptions"]) + 1
    for id, one in page["transactions"].items():
        accepted = set()
        for act in ACTS:
            code, answer = ask("POST", at(player, f"transactions/{id}/{act}?dry_run=true"), {}, program.ADMIN)
            if code == 200 and answer["status"] != "kept":
                accepted.add(act)
        same(sorted(names[label] for label in one["acts"]), sorted(accepted), f"the acts on {id} of {player}")
        facts += len(ACTS)
    clean(browser, f"the store of {player}")
    return facts


def run(browser: Browser, seed: int = 56) -> None:
    panel = Panel(GAME)
    facts = 0
    try:
        for number in range(HISTORIES):
            chance = random.Random(f"{seed}-{number}")
            live(f"h{number}", chance)
            facts += compare(browser, panel, f"h{number}")
    finally:
        panel.end()
    print(f"panel: {HISTORIES} random histories of the store, {facts} facts the same in the panel and on the command line (seed {seed})")
