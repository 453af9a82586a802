"""The panel on daemons of its own and without a display: a tester's refusals, secrets, and what an earlier program left under the port."""

import grp
import http.server
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading

import program
from attacks import same
from browser import ENTER, RIGHT, Browser
from program import Game, Panel, ask, code

TESTER = 4712
VAULT = """gameconf: 1
game: vault
title: "<script>alert('title')</script>"
locales: [en]
parameters:
  api_key: {type: string, secret: true, default: HUSHdefault, section: "<b>Section</b>", description: "<img src=x onerror=alert(1)>"}
  rules: {type: object, default: {sum: 5.0, id: 9007199254740993}, section: "<b>Section</b>", description: "of any form"}
  speed: {type: double, default: 1.0, range: {min: 0.0, max: 5.0, step: 0.5}, section: "<b>Section</b>", description: "\\u202Ereversed <script>alert(2)</script>"}
"""


class Daemon:
    """A daemon with one catalog, whose sockets the panel then uses."""

    def __init__(self, catalog: str, settings: str, *words: str):
        self.folder = tempfile.mkdtemp(dir="/tmp", prefix="gc-panel.")
        os.chmod(self.folder, 0o755)
        self.catalog(catalog)
        with open(self.folder + "/gameconfd.yaml", "w", encoding="utf-8") as file:
            file.write(settings)
        self.start(*words)
        self.before = os.environ["GAMECONF_SOCKET"], os.environ["GAMECONF_ADMIN_SOCKET"]
        self.use(self.folder + "/run/games.sock", self.folder + "/run/admin.sock")

    def catalog(self, text: str) -> str:
        """Writes a game's catalog, and returns its path."""
        path = f"{self.folder}/games/{re.search('^game: (.*)$', text, re.MULTILINE)[1]}.yaml"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def start(self, *words: str) -> None:
        self.process = subprocess.Popen(
            ["gameconfd", "--defaults", self.folder + "/games", "--runtime-dir", self.folder + "/run", "--state-dir", self.folder + "/state",
             "--config", self.folder + "/gameconfd.yaml", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "ready" in line:
                break
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    @staticmethod
    def use(games: str, admin: str) -> None:
        os.environ["GAMECONF_SOCKET"], os.environ["GAMECONF_ADMIN_SOCKET"] = games, admin
        program.GAMES, program.ADMIN = games, admin

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.use(*self.before)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def secrets(browser: Browser) -> None:
    """A user who may read secrets sees none in the panel, and nothing of a catalog is taken for markup."""
    daemon = Daemon(VAULT, f"secret_readers: {{vault: [{os.getuid()}]}}\n")
    try:
        shown = subprocess.run(["gameconfctl", "config", "get", "vault", "api_key"], capture_output=True, text=True, check=True).stdout
        same("HUSHdefault" in shown, True, "the secret on the command line")
        ask("PUT", "/v1/games/vault/overrides/api_key", {"value": "HUSHother"}, program.ADMIN)
        panel = Panel("vault")
        try:
            token = panel.exchange(code(panel.another()))[1]["token"]
            for path in ["config?detail=full", "config", "config?keys=api_key", "catalog", "config/api_key/explain", "audit", "changes", "overrides"]:
                status, _, body = panel.raw(f"GET /v1/games/vault/{path} HTTP/1.1\nHost: {panel.host}\nAuthorization: Bearer {token}")
                same((status, b"HUSH" in body), (200, False), f"a secret in {path}")
            browser.open(panel.address)
            browser.until("document.querySelector('.live.good') !== null")
            same(browser.run("return document.querySelectorAll('script').length + document.querySelectorAll('main section img, main section b').length"), 1, "markup of a catalog")
            browser.button("Why api_key is as it is", "#main")
            browser.until("document.querySelector('table') !== null")
            same(browser.run("return document.documentElement.outerHTML.includes('HUSH')"), False, "a secret in the page")
            same([line for line in browser.log() if "alert" in line], [], "what the page logged")
            # Numbers that a browser rounds stay as they were written.
            browser.click("textarea[aria-label=rules]")
            browser.until("document.querySelector('textarea').value.includes('9007199254740993')")
            browser.press("textarea[aria-label=rules]", "\ue009\ue010\ue000\ue003")
            browser.press("textarea[aria-label=rules]", ', "more": 1.0}' + "\ue009" + ENTER)
            browser.until("document.querySelector('#done .what')?.innerText.startsWith('rules is')")
            kept = program.told("GET", "/v1/games/vault/config/rules")[1].split('"value":')[1]
            same(kept.startswith('{"sum":5.0,"id":9007199254740993,"more":1.0}'), True, f"an object's numbers: {kept}")
        finally:
            panel.end()
    finally:
        daemon.end()


def roles(browser: Browser) -> None:
    """A tester may change what is a player's, and is refused for everybody at the control, with the daemon's sentence."""
    groups = [name for name in ("games", "mail", "news", "uucp", "audio") if name in {one.gr_name for one in grp.getgrall()}]
    if os.getuid() != 0 or not shutil.which("setpriv") or len(groups) < 2:
        print("panel: SKIPPED: roles were not tried, which takes root, setpriv and two groups")
        return
    game, key = "wheresthedot", "arcade_time_limit_base"
    with open(f"Defaults/{game}.yaml", encoding="utf-8") as file:
        daemon = Daemon(file.read(), "{}\n", "--admin-group", groups[0], "--tester-group", groups[1])
    try:
        ask("PUT", f"/v1/games/{game}/overrides/arcade_radius_base", {"value": 25.0}, program.ADMIN)
        before = ask("GET", f"/v1/games/{game}/config")[1]["revision"]
        copy = daemon.folder + "/gameconfctl"
        shutil.copy(shutil.which("gameconfctl"), copy)
        user = ["setpriv", f"--reuid={TESTER}", f"--regid={TESTER}", f"--groups={grp.getgrnam(groups[1]).gr_gid}", copy]
        panel = Panel(game, program=tuple(user))
        try:
            # This browser is root's, which the panel of another user takes too.
            def opened(screen: str, player: str = "") -> None:
                browser.open(f"{panel.another()}&screen={screen}" + (f"&player={player}" if player else ""))
                browser.until("document.querySelector('.live.good') !== null && !document.querySelector('#main .waiting')")

            def off(screen: str) -> None:
                """Says why, in the words of the command line."""
                words = browser.until("document.querySelector('.denied')?.innerText")
                same(f"This is for admins, and uid {TESTER} is a tester." in words and "{" not in words, True, f"{screen}: {words}")

            # What Store, Ads and Time line change is a player's, or a scenario, for which this role is enough.
            for screen, player, control in [
                ("values", "", f"input[type=range][aria-label='{key}']"), ("flags", "", "button[aria-label=onboarding_enabled]"),
                ("themes", "", "input[aria-label='Points that unlock Ocean']"), ("audit", "", "#main .rows .deed button"), ("player", "p1", "#main button.danger"),
            ]:
                opened(screen, player)
                browser.until("document.querySelector(arguments[0])?.disabled", control)
                off(screen)
            opened("store", "p1")
            same(browser.run("return document.querySelectorAll('.denied').length + document.querySelectorAll('#main button:disabled').length"), 0, "what a tester finds switched off in a player's store")
            # Whoever asks without the page is refused in the same words, and never by a route.
            token = panel.exchange(code(panel.another()))[1]["token"]
            status, _, answer = panel.raw(f"PUT /v1/games/{game}/overrides/{key} HTTP/1.1\nHost: {panel.host}\nAuthorization: Bearer {token}\nContent-Type: application/json\nContent-Length: 11", b'{"value":3}')
            same((status, json.loads(answer)["detail"]), (403, f"This is for admins, and uid {TESTER} is a tester. For one player you may: add --player P."), "a refusal for want of a role")
            same(ask("GET", f"/v1/games/{game}/config")[1]["revision"], before, "the revision after what is switched off")
            opened("values", "p1")
            felt = Game(game, key, "p1")
            value = ask("GET", f"/v1/games/{game}/config/{key}?player=p1")[1]["value"]
            browser.press(f"input[type=range][aria-label='{key}']", RIGHT)
            same(felt.felt() > value, True, "a tester's value for a player")
            # The role changes while the page is open: the controls follow.
            opened("flags")
            browser.until("document.querySelector('button[aria-label=onboarding_enabled]')?.disabled")
            daemon.stop()
            daemon.start("--admin-group", groups[1], "--tester-group", groups[0])
            browser.until("document.querySelector('button[aria-label=onboarding_enabled]')?.disabled === false && !document.querySelector('.denied')")
        finally:
            panel.end()
    finally:
        daemon.end()


def desktop(browser: Browser) -> None:
    """Started by a desktop, where nobody reads what is printed, the page says that no daemon answers, and is what it should be once one does."""
    folder = tempfile.mkdtemp(dir="/tmp", prefix="gc-desktop.")
    with open(folder + "/xdg-open", "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nprintf "%s\\n" "$1" >{folder}/address.new\nmv {folder}/address.new {folder}/address\n')
    os.chmod(folder + "/xdg-open", 0o755)
    away = {"GAMECONF_SOCKET": folder + "/run/games.sock", "GAMECONF_ADMIN_SOCKET": folder + "/run/admin.sock"}
    process = subprocess.Popen(
        ["gameconfctl", "panel"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=os.environ | away | {"DISPLAY": ":99", "PATH": folder + ":" + os.environ["PATH"]})
    try:
        browser.open(process.stdout.readline().strip())
        browser.until("document.querySelector('.notice p')?.innerText.includes(arguments[0])", f"gameconfd does not answer on {folder}/run/admin.sock. Start it with")
        os.mkdir(folder + "/games")
        with open(folder + "/games/vault.yaml", "w", encoding="utf-8") as file:
            file.write(VAULT)
        daemon = subprocess.Popen(
            ["gameconfd", "--defaults", folder + "/games", "--runtime-dir", folder + "/run", "--state-dir", folder + "/state"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            for line in daemon.stderr:
                if "ready" in line:
                    break
            browser.button("Try again", "#main")
            browser.until("document.querySelector('.live.good') !== null && document.querySelector('gc-row') !== null")
        finally:
            daemon.terminate()
            daemon.stderr.read()
            daemon.wait()
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def leftovers(browser: Browser) -> None:
    """A service worker that another program left under the port sees no code and is gone; a page whose program ended says so."""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            is_worker = self.path == "/worker.js"
            body = (b"self.addEventListener('install', () => self.skipWaiting()); self.addEventListener('activate', e => e.waitUntil(clients.claim()));"
                    b"self.addEventListener('fetch', e => e.respondWith(fetch(e.request)))" if is_worker else b"<title>before</title>")
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript" if is_worker else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    port = site.server_port
    threading.Thread(target=site.serve_forever, daemon=True).start()
    browser.open(f"http://127.0.0.1:{port}/")
    browser.run_async("const done = arguments[0]; navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => done(true))")
    browser.open("about:blank")
    site.shutdown()
    site.server_close()
    panel = Panel("wheresthedot", "--port", str(port))
    try:
        browser.open(panel.address)
        browser.until("document.querySelector('.live.good') !== null")
        same(browser.run_async("const done = arguments[0]; navigator.serviceWorker.getRegistrations().then(all => done(all.length))"), 0, "service workers")
    finally:
        panel.end()
    browser.until("document.querySelector('.live.bad') !== null")
    again = Panel("wheresthedot", "--port", str(port))
    try:
        browser.until("document.querySelector('.notice h2')?.innerText.includes('ended')")
    finally:
        again.end()


def headless() -> None:
    """Without a display it listens on a socket that only its user may open, for the Host and Origin of the port that ssh brings elsewhere."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")}
    process = subprocess.Popen(["gameconfctl", "panel"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    try:
        words, address = process.stdout.readline().split(), process.stdout.readline().strip()
        port, _, path = words[2].partition(":")
        same((words[:2], address.startswith(f"http://127.0.0.1:{port}/#code=")), (["ssh", "-L"], True), "what is printed without a display")
        same(os.stat(path).st_mode & 0o777, 0o600, "the mode of the socket")
        for host, origin, status in [(f"127.0.0.1:{port}", f"http://127.0.0.1:{port}", 200), ("127.0.0.1:1", None, 421), (f"127.0.0.1:{port}", "http://127.0.0.1:1", 403)]:
            connection = program.Unix(path)
            connection.request("GET", "/", headers={"Host": host} | ({"Origin": origin} if origin else {}))
            same(connection.getresponse().status, status, f"{host} from {origin}")
    finally:
        process.terminate()
        process.wait()
    same(os.path.exists(path), False, "the socket after the end")


def run(browser: Browser) -> None:
    headless()
    desktop(browser)
    secrets(browser)
    roles(browser)
    leftovers(browser)
