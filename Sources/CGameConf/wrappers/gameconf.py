"""A game's configuration in Python: libgameconf by ctypes, without a thread and without waiting.

    with Game("wheresthedot", player="p1", cache="save") as game:
        while running:
            for change in game.update():
                print(change.name, "changed")
            limit = game.double("arcade_time_limit_base", 2.5)
"""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Iterator, NamedTuple

FALLBACK, PLAYER_OVERRIDE, GAME_OVERRIDE, SETTING, REMOTE, DEFAULT, PLAY = range(7)
NONE, DEFAULTS, CACHED, LIVE = range(4)
VARIES, OVERRIDDEN, DEGRADED, TIME_DEPENDENT, PENDING, STALE, EMBEDDED = 1, 2, 4, 8, 256, 512, 1024
OFFLINE = 1


class _Options(Structure):
    _fields_ = [
        ("size", c_size_t), ("game", c_char_p), ("player", c_char_p), ("locale", c_char_p), ("context", c_char_p), ("socket", c_char_p),
        ("cache", c_char_p), ("defaults", c_char_p), ("defaults_size", c_size_t), ("flags", c_uint32), ("images", c_char_p),
    ]


class _Info(Structure):
    _fields_ = [
        ("source", c_int32), ("reason", c_int32), ("flags", c_uint32), ("type", c_uint32), ("revision", c_int64),
        ("next_change_at", c_int64), ("variant", c_char_p), ("length", c_size_t), ("reserved", c_uint64 * 2),
    ]


class _Change(Structure):
    _fields_ = [
        ("kind", c_int32), ("old_source", c_int32), ("new_source", c_int32), ("flags", c_uint32), ("name", c_char_p),
        ("reserved", c_uint64 * 3),
    ]


class _Answer(Structure):
    _fields_ = [
        ("number", c_int64), ("kind", c_int32), ("status", c_int32), ("flags", c_uint32), ("length", c_uint32), ("player", c_char_p),
        ("body", c_char_p), ("context", c_void_p), ("reserved", c_uint64 * 2),
    ]


class _Status(Structure):
    _fields_ = [
        ("size", c_size_t), ("state", c_int32), ("queued", c_uint32), ("answers", c_uint32), ("views", c_uint32), ("epoch", c_uint64),
        ("revision", c_int64), ("player_revision", c_int64), ("age_ms", c_int64), ("offline_since_ms", c_int64),
        ("last_error", c_char_p), ("client", c_char_p), ("pending", c_bool), ("queue_survives", c_bool),
    ]


class _Event(Structure):
    _fields_ = [
        ("size", c_size_t), ("event", c_char_p), ("mode", c_char_p), ("reason", c_char_p), ("score", c_int64), ("scored", c_bool),
        ("details", c_char_p),
    ]


class Change(NamedTuple):
    kind: int
    name: str
    old_source: int
    new_source: int


class Answer(NamedTuple):
    number: int
    kind: int
    status: int
    flags: int
    player: str
    body: Any


def _library(path: str | None) -> ctypes.CDLL:
    library = ctypes.CDLL(path or os.environ.get("GAMECONF_LIBRARY", "libgameconf.so.1"))
    game, text = c_void_p, c_char_p
    for name, kind in (("bool", c_bool), ("int", c_int64), ("double", c_double), ("string", text), ("json", text)):
        getattr(library, f"gameconf_{name}").argtypes = [game, text, kind]
        getattr(library, f"gameconf_{name}").restype = kind
        info = getattr(library, f"gameconf_{name}_info")
        info.argtypes, info.restype = [game, text, kind, POINTER(_Info)], kind
    signatures = {
        "open": (c_int, [POINTER(game), POINTER(_Options)]), "close": (None, [game]), "update": (c_int, [game]),
        "wait": (c_int, [game, c_int]), "fd": (c_int, [game]), "timeout": (c_int, [game]), "status": (c_int, [game, POINTER(_Status)]),
        "next_change": (c_bool, [game, POINTER(_Change)]), "next_answer": (c_bool, [game, POINTER(_Answer)]),
        "set_player": (c_int, [game, text]), "set_locale": (c_int, [game, text]), "set_context": (c_int, [game, text]),
        "event": (c_int64, [game, POINTER(_Event)]), "visit": (c_int64, [game]), "setting": (c_int64, [game, text, text]),
        "finish": (c_int64, [game, text]), "ad_report": (c_int64, [game, text, text, text]), "purchase": (c_int64, [game, text, text]),
        "restore": (c_int64, [game]), "gate": (c_int64, [game, text, text]), "call": (c_int64, [game, text, text, text]),
        "theme_unlocked": (c_bool, [game, text, c_bool, c_void_p]), "entitled": (c_bool, [game, text, c_bool, c_void_p]),
        "ad_free": (c_bool, [game, c_bool, c_void_p]), "product_purchased": (c_bool, [game, text, c_bool, c_void_p]),
        "now": (c_int64, [game]), "daily_seed": (text, [game, text, text]), "key_name": (text, [game, c_uint32]),
    }
    for name, (result, arguments) in signatures.items():
        call = getattr(library, f"gameconf_{name}")
        call.restype, call.argtypes = result, arguments
    return library


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


class Game:
    """A game's values and its writes; belongs to one thread."""

    def __init__(self, game: str, *, player: str | None = None, locale: str | None = None, context: dict | None = None,
                 socket: str | None = None, cache: str | None = None, defaults: bytes | None = None, flags: int = 0,
                 library: str | None = None):
        self._library = _library(library)
        self._defaults = defaults  # the library reads it where it lies
        options = _Options(
            ctypes.sizeof(_Options), _bytes(game), _bytes(player), _bytes(locale), _bytes(json.dumps(context)) if context else None,
            _bytes(socket), _bytes(cache), defaults, len(defaults or b""), flags, None)
        self._handle = c_void_p()
        self._checked(self._library.gameconf_open(byref(self._handle), byref(options)))

    def _checked(self, result: int) -> int:
        if result < 0:
            raise OSError(-result, os.strerror(-result))
        return result

    def __enter__(self) -> "Game":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends it; afterwards every value is its fallback."""
        self._library.gameconf_close(self._handle)
        self._handle = c_void_p()

    def update(self) -> Iterator[Change]:
        """Reads what has arrived, sends what is due, and tells what changed."""
        self._library.gameconf_update(self._handle)
        return self._changes()

    def wait(self, seconds: float) -> Iterator[Change]:
        """Updates until something changes or is answered, or the time is over."""
        self._library.gameconf_wait(self._handle, int(seconds * 1000))
        return self._changes()

    def _changes(self) -> Iterator[Change]:
        change = _Change()
        while self._library.gameconf_next_change(self._handle, byref(change)):
            yield Change(change.kind, change.name.decode(), change.old_source, change.new_source)

    def bool(self, key: str, fallback: bool) -> bool:
        return self._library.gameconf_bool(self._handle, key.encode(), fallback)

    def int(self, key: str, fallback: int) -> int:
        return self._library.gameconf_int(self._handle, key.encode(), fallback)

    def double(self, key: str, fallback: float) -> float:
        return self._library.gameconf_double(self._handle, key.encode(), fallback)

    def string(self, key: str, fallback: str) -> str:
        return self._library.gameconf_string(self._handle, key.encode(), fallback.encode()).decode()

    def daily_seed(self, key: str, salt: str) -> str:
        """The value of a key whose default is {daily_hash: salt}; without a daemon it is made from the salt."""
        return self._library.gameconf_daily_seed(self._handle, key.encode(), salt.encode()).decode()

    def json(self, key: str, fallback: Any) -> Any:
        text = self._library.gameconf_json(self._handle, key.encode(), None)
        return fallback if text is None else json.loads(text)

    def info(self, key: str) -> _Info:
        """What is known of a value: source, reason, revision, flags."""
        info = _Info()
        self._library.gameconf_double_info(self._handle, key.encode(), 0, byref(info))
        if info.source == FALLBACK:
            self._library.gameconf_string_info(self._handle, key.encode(), None, byref(info))
        return info

    @property
    def status(self) -> _Status:
        status = _Status(ctypes.sizeof(_Status))
        self._library.gameconf_status(self._handle, byref(status))
        return status

    def set_player(self, player: str | None) -> None:
        self._checked(self._library.gameconf_set_player(self._handle, _bytes(player)))

    def event(self, event: str, *, mode: str | None = None, score: int | None = None, reason: str | None = None,
              details: dict | None = None) -> int:
        given = _Event(
            ctypes.sizeof(_Event), _bytes(event), _bytes(mode), _bytes(reason), score or 0, score is not None,
            _bytes(json.dumps(details)) if details else None)
        return self._checked(self._library.gameconf_event(self._handle, byref(given)))

    def setting(self, key: str, value: Any) -> int:
        return self._checked(self._library.gameconf_setting(self._handle, key.encode(), json.dumps(value).encode()))

    def purchase(self, product: str, currency: str | None = None) -> int:
        return self._checked(self._library.gameconf_purchase(self._handle, product.encode(), _bytes(currency)))

    def call(self, method: str, path: str, body: Any = None) -> int:
        text = None if body is None else json.dumps(body).encode()
        return self._checked(self._library.gameconf_call(self._handle, method.encode(), path.encode(), text))

    def answers(self) -> Iterator[Answer]:
        """What the daemon has answered to writes and calls."""
        answer = _Answer()
        while self._library.gameconf_next_answer(self._handle, byref(answer)):
            body = json.loads(answer.body) if answer.body else None
            yield Answer(answer.number, answer.kind, answer.status, answer.flags, answer.player.decode(), body)

    def theme_unlocked(self, theme: str, fallback: bool = False) -> bool:
        return self._library.gameconf_theme_unlocked(self._handle, theme.encode(), fallback, None)

    def entitled(self, entitlement: str, fallback: bool = False) -> bool:
        return self._library.gameconf_entitled(self._handle, entitlement.encode(), fallback, None)
