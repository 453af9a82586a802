"""Chromium over WebDriver, by plain HTTP."""

import base64
import json
import socket
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER, ESCAPE, LEFT, RIGHT, DOWN, UP, TAB, SPACE, SHIFT, CONTROL = "\ue007", "\ue00c", "\ue012", "\ue014", "\ue015", "\ue013", "\ue004", " ", "\ue008", "\ue009"


class Browser:
    """One headless window."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        for _ in range(300):
            try:
                urllib.request.urlopen(self.base + "/status").read()
                break
            except OSError:
                time.sleep(0.1)
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,900", "--hide-scrollbars"]}
        made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": options}}})
        self.session = "/session/" + made["sessionId"]

    def ask(self, method: str, path: str, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def tell(self, command: str, parameters: dict):
        return self.ask("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address: str):
        self.ask("POST", self.session + "/url", {"url": "about:blank"})
        self.ask("POST", self.session + "/url", {"url": address})

    def run(self, script: str, *arguments):
        return self.ask("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script: str, *arguments):
        return self.ask("POST", self.session + "/execute/async", {"script": script, "args": list(arguments)})

    def until(self, script: str, *arguments, seconds: float = 20):
        """Waits until an expression is true in the page, and returns it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run("return " + script, *arguments)
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"never true in the page: {script} {arguments}\n{self.run('return document.body.innerText')[:2000]}")

    def find(self, selector: str):
        self.until("document.querySelector(arguments[0]) !== null", selector)
        return self.ask("POST", self.session + "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector: str):
        self.ask("POST", f"{self.session}/element/{self.find(selector)}/click", {})

    def press(self, selector: str, words: str):
        self.ask("POST", f"{self.session}/element/{self.find(selector)}/value", {"text": words})

    def button(self, words: str, within: str = "body"):
        """Clicks the button that is called so."""
        self.until("(() => { const one = [...document.querySelectorAll(arguments[0] + ' button')].find(b => (b.innerText.trim() === arguments[1]"
                   " || b.ariaLabel === arguments[1]) && b.checkVisibility()); one?.click(); return !!one })()", within, words)

    def look(self, width: int, height: int, is_dark: bool):
        self.tell("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.tell("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}, {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def picture(self, path: str):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", self.session + "/screenshot")))

    def log(self) -> list[str]:
        """What the page has logged since the last look, refusals of the policy among it."""
        return [line["message"] for line in self.ask("POST", self.session + "/se/log", {"type": "browser"})]

    def end(self):
        try:
            self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
