"""Holds recorded answers of the daemon against its OpenAPI document.

    check.py [--whole] FOLDER

FOLDER has `openapi.json` and the recordings of record.c. Every answer is checked: its status, its media type and its body. With `--whole` a call, a
status, a media type or a part of a schema that no answer had is an error too. `exceptions.txt` beside this file has what need not be seen, with the
reasons; rare.py brings about what no test does.
"""

import datetime
import functools
import gzip
import json
import os
import re
import struct
import sys

# RFC 9457 lets a problem have further members, and its description says so.
OPEN = {"Problem"}
# The schemas of streams' lines, which an OpenAPI document has no place for.
LINES = {"liveStream": "LiveLine"}
HERE = os.path.dirname(os.path.realpath(__file__))
ISSUES_MAX = 60
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
ANNOTATIONS = {"description", "title", "default", "examples", "deprecated"}
TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer())),
}


def is_date_time(text: str) -> bool:
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", text):
        return False
    try:
        datetime.datetime.fromisoformat(re.sub(r"\.\d+", "", text).replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


FORMATS = {
    "int64": lambda value: not TYPES["integer"](value) or -(2**63) <= value < 2**63,
    "double": lambda value: True,
    "date-time": lambda value: not isinstance(value, str) or is_date_time(value),
    "uri": lambda value: not isinstance(value, str) or re.match(r"[a-z][a-z0-9+.-]*:", value) is not None,
}


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


class Schemas:
    """Checks values against schemas, and notes which parts of them values had."""

    def __init__(self, document: dict):
        self.components = document["components"]["schemas"]
        self.places: set[str] = set()
        self.seen: set[str] = set()
        self.compiled: dict[str, tuple] = {}

    def check(self, schema: dict, place: str):
        """Returns a function of a value and its place that lists what is wrong with it."""
        return self.compile(schema, place)[0]

    def compile(self, schema: dict, place: str, is_part: bool = False):
        """Returns the check, and the names of the members that an object may have (None: any). A part of a whole leaves unknown members to it."""
        if "$ref" in schema:
            assert set(schema) <= {"$ref"} | ANNOTATIONS, place
            name = schema["$ref"].rsplit("/", 1)[1]
            key = name + " as a part" if is_part else name
            if key not in self.compiled:
                # A schema may lead back to itself.
                self.compiled[key] = (lambda value, at: self.compiled[key][0](value, at), None)
                self.compiled[key] = self.compile(self.components[name], name, is_part)
            return self.compiled[key]
        checks, names = [], set()
        for keyword, argument in schema.items():
            if keyword in ANNOTATIONS or keyword.startswith("x-") and keyword != "x-extensible-enum":
                continue
            if keyword in ("required", "additionalProperties", "properties"):
                continue
            checks.append(getattr(self, "keyword_" + keyword.replace("-", "_"))(argument, place, names))
        if "required" in schema:
            checks.append(self.required(schema["required"]))
        if "properties" in schema or "additionalProperties" in schema:
            checks.append(self.members(schema.get("properties", {}), schema.get("additionalProperties"), place, names, is_part))
        elif names and not is_part:
            checks.append(self.members({}, None, place, names, is_part))

        def check(value, at):
            return [issue for each in checks for issue in each(value, at)]

        return check, names

    def noted(self, place: str) -> str:
        self.places.add(place)
        return place

    def keyword_type(self, argument, place, names):
        if isinstance(argument, str):
            fits = TYPES[argument]
            return lambda value, at: [] if fits(value) else [f"{at} is no {argument}"]
        options = [(self.noted(f"{place} as {name}"), TYPES[name]) for name in argument]

        def check(value, at):
            for option, fits in options:
                if fits(value):
                    self.seen.add(option)
                    return []
            return [f"{at} is none of {', '.join(argument)}"]

        return check

    def keyword_format(self, argument, place, names):
        fits = FORMATS[argument]
        return lambda value, at: [] if fits(value) else [f"{at} is no {argument}: {value!r}"]

    def keyword_minimum(self, argument, place, names):
        return lambda value, at: [f"{at} is below {argument}"] if TYPES["number"](value) and value < argument else []

    def keyword_maximum(self, argument, place, names):
        return lambda value, at: [f"{at} is above {argument}"] if TYPES["number"](value) and value > argument else []

    def keyword_const(self, argument, place, names):
        return lambda value, at: [] if value == argument else [f"{at} is not {argument!r}"]

    def keyword_enum(self, argument, place, names):
        words = {word: self.noted(f"{place} = {word}") for word in argument}

        def check(value, at):
            if value not in words:
                return [f"{at} is none of {', '.join(map(str, argument))}: {value!r}"]
            self.seen.add(words[value])
            return []

        return check

    # The list may get longer, but the daemon of this tree has no word that its own document does not list.
    keyword_x_extensible_enum = keyword_enum

    def keyword_items(self, argument, place, names):
        check = self.check(argument, self.noted(place + "[]"))

        def checks(value, at):
            if not isinstance(value, list):
                return []
            if value:
                self.seen.add(place + "[]")
            return [issue for number, each in enumerate(value) for issue in check(each, f"{at}[{number}]")]

        return checks

    def keyword_allOf(self, argument, place, names):
        checks = []
        for part in argument:
            check, more = self.compile(part, place, is_part=True)
            names.update(more)
            checks.append(check)
        return lambda value, at: [issue for check in checks for issue in check(value, at)]

    def alternatives(self, argument, place):
        options = []
        for number, part in enumerate(argument):
            name = part["$ref"].rsplit("/", 1)[1] if "$ref" in part else part.get("type", number)
            options.append((self.noted(f"{place} or {name}"), self.check(part, f"{place} or {name}")))
        return options

    def keyword_oneOf(self, argument, place, names):
        options = self.alternatives(argument, place)

        def check(value, at):
            # Alternatives that do not fit leave no trace.
            before, fitting, nearest = set(self.seen), [], None
            for option, each in options:
                self.seen = set()
                issues = each(value, at)
                if issues:
                    nearest = issues if nearest is None or len(issues) < len(nearest) else nearest
                else:
                    fitting.append((option, self.seen))
            self.seen = before
            if len(fitting) == 1:
                self.seen |= fitting[0][1] | {fitting[0][0]}
                return []
            return nearest if not fitting else [f"{at} fits {' and '.join(option for option, _ in fitting)}"]

        return check

    def keyword_anyOf(self, argument, place, names):
        options = self.alternatives(argument, place)

        def check(value, at):
            before, found, nearest = set(self.seen), set(), None
            for option, each in options:
                self.seen = set()
                issues = each(value, at)
                if not issues:
                    found |= self.seen | {option}
                else:
                    nearest = issues if nearest is None or len(issues) < len(nearest) else nearest
            self.seen = before | found
            return [] if found else nearest

        return check

    def required(self, names):
        return lambda value, at: [f"{at} has no {name}" for name in names if isinstance(value, dict) and name not in value]

    def members(self, properties, rest, place, names, is_part):
        checks = {name: self.check(schema, self.noted(f"{place}.{name}")) for name, schema in properties.items()}
        names.update(properties)
        any_check = self.check(rest, self.noted(place + ".*")) if isinstance(rest, dict) else None
        is_open = rest is True or any_check is not None or place in OPEN

        def check(value, at):
            if not isinstance(value, dict):
                return []
            issues = []
            for name, member in value.items():
                if name in checks:
                    self.seen.add(f"{place}.{name}")
                    issues += checks[name](member, f"{at}.{name}")
                elif any_check:
                    self.seen.add(place + ".*")
                    issues += any_check(member, f"{at}.{name}")
                elif not is_open and not is_part and name not in names:
                    issues.append(f"{at} has a member that is not described: {name}")
            return issues

        return check


class Malformed(Exception):
    """Bytes that are no message."""


class Message:
    """A request or an answer in the bytes of a connection."""

    def __init__(self, data: bytes, start: int):
        end = data.find(b"\r\n\r\n", start)
        if end < 0:
            raise Malformed
        lines = data[start:end].decode("latin-1").split("\r\n")
        self.first = lines[0].split(" ")
        self.fields = {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if not colon or not name or name != name.strip():
                raise Malformed
            self.fields[name.lower()] = value.strip()
        self.body_start = end + 4

    def read_body(self, data: bytes, has_rest: bool = False) -> int:
        """Reads the body, and returns where it ends. With `has_rest` a body without a length is everything that follows."""
        at = self.body_start
        if "chunked" in self.fields.get("transfer-encoding", "").lower():
            pieces = []
            while True:
                end = data.find(b"\r\n", at)
                if end < 0:
                    self.is_cut, self.body = True, b"".join(pieces)
                    return len(data)
                try:
                    size = int(data[at:end].split(b";")[0], 16)
                except ValueError:
                    raise Malformed from None
                if size == 0:
                    last = data.find(b"\r\n\r\n", end - 2) if data[end + 2 : end + 4] != b"\r\n" else end
                    self.is_cut, self.body = False, b"".join(pieces)
                    return last + 4 if last >= 0 else len(data)
                if end + 2 + size + 2 > len(data):
                    self.is_cut, self.body = True, b"".join(pieces)
                    return len(data)
                pieces.append(data[end + 2 : end + 2 + size])
                at = end + 2 + size + 2
        text = self.fields.get("content-length")
        if text is None:
            self.is_cut, self.body = False, data[at:] if has_rest else b""
            return len(data) if has_rest else at
        if not text.isdigit():
            raise Malformed
        length = int(text)
        self.body, self.is_cut = data[at : at + length], at + length > len(data)
        return min(at + length, len(data))


def requests(data: bytes):
    """The requests of a connection; the last is None where what follows is no request."""
    at = 0
    while at < len(data):
        # Empty lines before a request are skipped, as the daemon does.
        if data[at : at + 2] == b"\r\n":
            at += 2
            continue
        try:
            message = Message(data, at)
            if len(message.first) != 3 or not message.first[1].startswith("/"):
                raise Malformed
            at = message.read_body(data)
        except Malformed:
            yield None
            return
        yield message


def connections(path: str):
    """The connections of a recording: what was received, what was sent, and whether it was closed."""
    with open(path, "rb") as file:
        data = file.read()
    at, found = 0, {}
    while at + 12 <= len(data):
        number, kind, count = struct.unpack_from("<III", data, at)
        at += 12
        kind = chr(kind)
        if kind == "A":
            found[number] = ([], [], [False])
        elif kind in "RS":
            found[number][kind == "S"].append(data[at : at + count])
        elif kind == "C":
            found[number][2][0] = True
        at += count
    for received, sent, closed in found.values():
        yield b"".join(received), b"".join(sent), closed[0]


class Contract:
    """The calls of the document, and what was seen of them."""

    def __init__(self, document: dict):
        self.document = document
        self.schemas = Schemas(document)
        self.operations: list[tuple[re.Pattern, dict]] = []
        self.due: set[str] = set()
        self.seen: set[str] = set()
        self.statuses: set[str] = set()
        self.issues: dict[str, int] = {}
        self.answers = self.bodies = self.streams = 0
        paths = document["paths"]
        # `/clear` before `/{key}`: the route with fewer variables is the one that is taken.
        for path in sorted(paths, key=lambda path: [segment.startswith("{") for segment in path.split("/")]):
            # A variable's own text may hold a colon; one that is followed by `:verb` ends there.
            pattern = re.sub(r"\\\{[a-z_]+\\\}", "[^/]+", re.escape(path))
            self.operations.append((re.compile(pattern), paths[path]))
        for operations in paths.values():
            for operation in operations.values():
                name = operation["operationId"]
                self.due.add(name)
                for status, response in operation["responses"].items():
                    if int(status) < 400:
                        self.due.add(f"{name} {status}")
                        for media in response.get("content", {}):
                            self.due.add(f"{name} {status} {media}")
                    else:
                        self.statuses.add(f"any {status}")
        self.due |= self.statuses
        self.refusals = document["components"]["responses"]

    def operation(self, method: str, target: str):
        """The call of a target. A path that is a call's own is no other's, whatever the method."""
        path = target.partition("?")[0]
        for pattern, operations in self.operations:
            if pattern.fullmatch(path):
                return operations.get(method.lower())
        return None

    @functools.cache
    def compiled(self, text: str, place: str):
        return self.schemas.check(json.loads(text), place)

    def note(self, issue: str) -> None:
        self.issues[issue] = self.issues.get(issue, 0) + 1

    def answer(self, request, answer, is_cut: bool) -> None:
        """Checks one answer. The request is None where it could not be read."""
        self.answers += 1
        status = int(answer.first[1])
        method, target = (request.first[0], request.first[1]) if request else ("?", "?")
        operation = self.operation("GET" if method == "HEAD" else method, target) if request else None
        name = operation["operationId"] if operation else f"{method} without a call" if request else "no request"
        self.seen |= {name, f"{name} {status}" if status < 400 else f"any {status}"}
        if operation:
            response = operation["responses"].get(str(status))
        else:
            # In the words of the calls beside it: RevenueCat's, Firebase's, OpenFeature's or our own.
            response = self.refused_by(answer) if status >= 400 else None
        if response is None:
            return self.note(f"{name}: {status} is not documented ({method} {target[:120]})")
        refusal = response["$ref"].rsplit("/", 1)[1] if "$ref" in response else None
        content = (self.refusals[refusal] if refusal else response).get("content", {})
        if method == "HEAD" or status in (204, 304):
            return None
        # Further parameters, such as a charset, leave a media type what it is.
        given = answer.fields.get("content-type", "")
        media = next((each for each in content if (given + ";").startswith(each + ";")), None)
        if media is None:
            return self.note(f"{name}: {status} has the media type {given!r}, not {' or '.join(content) or 'none'}")
        if status < 400:
            self.seen.add(f"{name} {status} {media}")
        self.body(f"{name} {status}", refusal or f"{name} {status}", media, content[media].get("schema"), answer, is_cut)
        return None

    def refused_by(self, answer) -> dict | None:
        """The refusal that an answer without a call is: the first whose media type and schema it has."""
        for name, response in self.refusals.items():
            media, content = next(iter(response["content"].items()))
            try:
                check = self.compiled(json.dumps(content["schema"]), name)
                if (answer.fields.get("content-type", "") + ";").startswith(media + ";") and not check(json.loads(answer.body), ""):
                    return {"$ref": "/" + name}
            except ValueError:
                pass
        return {"$ref": "/Problem"}

    def schema_of(self, response: dict) -> dict:
        return next(iter(response["content"].values()))["schema"]

    def body(self, where: str, place: str, media: str, schema, answer, is_cut: bool) -> None:
        if media == "text/event-stream":
            self.streams += 1
            for line in answer.body.decode("utf-8", "replace").split("\n")[:-1]:
                if line.startswith("data: ") and not is_json(line[6:]):
                    self.note(f"{where}: an event of the stream is no JSON: {line[:100]}")
            return
        is_lines = media == "application/x-ndjson"
        if "json" not in media or is_cut and not is_lines:
            return
        self.bodies += 1
        try:
            body = gzip.decompress(answer.body) if answer.fields.get("content-encoding") == "gzip" else answer.body
            # A stream's last line may be cut.
            values = [json.loads(line) for line in (filter(None, body.split(b"\n")[:-1]) if is_lines else [body])]
        except (ValueError, OSError, EOFError) as error:
            return self.note(f"{where} is no JSON: {error}")
        if is_lines and (line := LINES.get(where.split(" ")[0])):
            schema = {"$ref": "#/components/schemas/" + line}
        for value in values:
            if schema is not None:
                for issue in self.compiled(json.dumps(schema), place)(value, ""):
                    self.note(f"{where}: {re.sub('[0-9]+', 'N', issue)}")
            if place == "Problem" and isinstance(value, dict) and value.get("status") != int(answer.first[1]):
                self.note(f"{where} says in its body {value.get('status')}")
        return None

    def connection(self, received: bytes, sent: bytes) -> None:
        asked, at = requests(received), 0
        request, has_ended = None, False
        while at < len(sent):
            try:
                answer = Message(sent, at)
                status = int(answer.first[1])
                if answer.first[0] != "HTTP/1.1":
                    raise Malformed
            except (Malformed, ValueError, IndexError):
                # The last answer may be cut in its head: the daemon was killed.
                if b"\r\n\r\n" in sent[at:]:
                    self.note(f"what follows an answer is none: {sent[at:at + 60]!r}")
                return
            if 100 <= status < 200:
                at = answer.body_start
                continue
            request = None if has_ended else next(asked, None)
            has_ended = request is None
            is_bodiless = (request and request.first[0] == "HEAD") or status in (204, 304)
            try:
                at = answer.body_start if is_bodiless else answer.read_body(sent, has_rest=True)
            except Malformed:
                return self.note(f"an answer's body has no length: {sent[at:at + 60]!r}")
            self.answer(request, answer, not is_bodiless and answer.is_cut)

    def reached(self) -> None:
        """Compiles every answer's schema, so that parts which no answer had are known."""
        for operations in self.document["paths"].values():
            for operation in operations.values():
                for status, response in operation["responses"].items():
                    for each in response.get("content", {}).values():
                        if "schema" in each:
                            self.compiled(json.dumps(each["schema"]), f"{operation['operationId']} {status}")
        for name, response in self.refusals.items():
            self.compiled(json.dumps(self.schema_of(response)), name)


def exceptions() -> dict[str, str]:
    """The patterns of what need not be seen, with their reasons: a reason in a line that begins with #, then its patterns."""
    found, reason = {}, ""
    with open(HERE + "/exceptions.txt", encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("#"):
                reason = line[1:].strip()
            elif line:
                found[line] = reason
    return found


def main() -> int:
    words = sys.argv[1:]
    is_whole = "--whole" in words
    folder = [word for word in words if not word.startswith("--")][0]
    with open(folder + "/openapi.json", encoding="utf-8") as file:
        contract = Contract(json.load(file))
    contract.reached()
    recordings = sorted(name for name in os.listdir(folder) if re.fullmatch(r"[0-9]+\.[A-Za-z0-9]{6}", name))
    for name in recordings:
        for received, sent, _ in connections(f"{folder}/{name}"):
            contract.connection(received, sent)
    due = contract.due | contract.schemas.places
    seen = (contract.seen | contract.schemas.seen) & due
    missing = sorted(due - seen)
    patterns = exceptions()
    excused = {each for each in missing if any(re.fullmatch(pattern, each) for pattern in patterns)}
    unseen = [each for each in missing if each not in excused]
    issues = [f"{issue} ({times} times)" for issue, times in contract.issues.items()]
    if is_whole:
        issues += [f"never seen: {each}" for each in unseen]
        for each in patterns:
            # Tests that draw at random may see it another time.
            if not any(re.fullmatch(each, name) for name in missing):
                print(f"traffic: seen in this run, though exceptions.txt has it: {each}")
    for issue in issues[:ISSUES_MAX]:
        print("traffic: " + issue)
    if len(issues) > ISSUES_MAX:
        print(f"traffic: and {len(issues) - ISSUES_MAX} more")

    def share(all_places: set[str]) -> str:
        return f"{len(all_places & seen)} of {len(all_places)}"

    calls = {each for each in contract.due if " " not in each}
    print(
        f"traffic: {contract.answers} answers of {len(recordings)} daemons, {contract.bodies} bodies in JSON and {contract.streams} streams checked; "
        f"seen {share(calls)} calls, {share(contract.due - calls)} statuses and media types, "
        f"{share(contract.schemas.places)} parts of schemas; {len(excused)} excused"
    )
    return 1 if issues or not contract.answers else 0


if __name__ == "__main__":
    sys.exit(main())
