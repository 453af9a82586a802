"""Follows a game's flags through the bridge as ADR-0008 of the OpenFeature Remote Evaluation Protocol has it.

    ofrep_follow.py header|path GAME KEY GAMECONFCTL

Evaluates all flags, connects to the event stream that the answer names, evaluates again when it is told to, goes on after a lost connection
with the last id, and falls back on polling with If-None-Match. Ends with 1 and a word when something is otherwise.
"""

import atexit
import http.client
import json
import subprocess
import sys
import urllib.parse

way, game, key, control = sys.argv[1:5]
bridge = subprocess.Popen([control, "bridge"], stdout=subprocess.PIPE, text=True)
atexit.register(bridge.terminate)
url = urllib.parse.urlsplit(bridge.stdout.readline().strip())
token = url.path.removeprefix("/t/")
# A client that sends headers has the token there; one that cannot has the whole line that the bridge printed as its base.
fields, base = ({"Authorization": f"Bearer {token}"}, "") if way == "header" else ({}, url.path)


def check(condition: bool, says: str) -> None:
    if not condition:
        sys.exit(f"ofrep_follow: {says}")


def evaluate(event: dict | None = None, etag: str | None = None) -> tuple[int, dict, str]:
    target = f"{base}/v1/games/{game}/ofrep/v1/evaluate/flags"
    if event:
        target += "?" + urllib.parse.urlencode({"flagConfigEtag": event["etag"], "flagConfigLastModified": event["lastModified"]})
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    headers = {"Content-Type": "application/json", **fields, **({"If-None-Match": etag} if etag else {})}
    connection.request("POST", target, json.dumps({"context": {"targetingKey": "p1"}}), headers)
    answer = connection.getresponse()
    body = answer.read()
    return answer.status, json.loads(body) if body else {}, answer.getheader("ETag")


def value(body: dict) -> float:
    return next(flag["value"] for flag in body["flags"] if flag["key"] == key)


class Stream:
    """Server-sent events, without a header that a browser's EventSource could not send; the last id is kept for the next connection."""

    def __init__(self, target: str, last: str | None = None):
        self.connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
        self.connection.request("GET", target, headers=headers)
        self.answer = self.connection.getresponse()
        check(self.answer.status == 200, f"the event stream answers {self.answer.status}")
        check(self.answer.getheader("Content-Type") == "text/event-stream", "the event stream is of another type")
        self.last = last

    def next(self) -> dict:
        """The next event that says to evaluate again; others are passed over, as the protocol wants."""
        name, data = "message", []
        while True:
            line = self.answer.readline().decode().rstrip("\n")
            field, _, text = line.partition(": ")
            if field == "id":
                self.last = text
            elif field == "event":
                name = text
            elif field == "data":
                data.append(text)
            elif not line and data:
                event = json.loads("\n".join(data))
                if name == "message" and event.get("type") == "refetchEvaluation":
                    return event
                name, data = "message", []

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


def force(text: str) -> None:
    subprocess.run([control, "config", "set", game, key, text, "--reason", "ADR-0008"], check=True, capture_output=True)


force("2.5")
status, body, tag = evaluate()
check(status == 200 and value(body) == 2.5, f"the first evaluation answers {status} {body}")
stream = next(each for each in body["eventStreams"] if each["type"] == "sse")
check(stream["inactivityDelaySec"] >= 1, "the stream names no delay")
# origin + requestUri, with the configured base URL's origin where the answer names none.
check("url" not in stream and "origin" not in stream["endpoint"], "the answer names an origin")
target = stream["endpoint"]["requestUri"]

first = Stream(target)
force("3.5")
event = first.next()
status, body, tag = evaluate(event)
check(status == 200 and value(body) == 3.5, f"after {event} the flags are {status} {body}")
status, _, same = evaluate(etag=tag)
check(status == 304 and same == tag, f"polling with the tag answers {status}")

# What changes while nobody listens is told at once to who comes back with the last id.
last = first.last
check(last is not None, "an event came without an id")
first.close()
force("4.5")
second = Stream(target, last)
event = second.next()
status, body, tag = evaluate(event)
check(status == 200 and value(body) == 4.5, f"after coming back the flags are {status} {body}")
second.close()
status, _, _ = evaluate(etag=tag)
check(status == 304, f"nothing has changed, and polling answers {status}")
force("2.5")
