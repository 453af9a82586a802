"""The Python client against a daemon that is played by a thread of the test."""

import json
import os
import socket
import struct
import tempfile
import threading
import time
import unittest

import gameconf
from gameconf import Game

IMAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Fixtures/Images")


def image(name: str) -> bytes:
    with open(os.path.join(IMAGES, name), "rb") as file:
        return file.read()


def frame(kind: int, identifier: str, payload: bytes = b"") -> bytes:
    return struct.pack("<IBBH", len(payload), kind, len(identifier), 0) + identifier.encode() + payload


class Daemon:
    """Answers watches with the sample's image and, when told to, its patch; and every other call with what it was asked."""

    def __init__(self, path: str):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.streams: list[socket.socket] = []
        self.answers = {"status": 200}
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        stream = connection.makefile("rb")
        while line := stream.readline().decode().strip():
            fields = {}
            while field := stream.readline().decode().strip():
                name, value = field.split(": ", 1)
                fields[name.lower()] = value
            body = stream.read(int(fields.get("content-length", "0")))
            self.requests.append((line, fields, body))
            if "/watch " in line:
                self.streams.append(connection)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/vnd.gameconf.image-stream\r\n\r\n")
                connection.sendall(frame(1, "1.42.7.1", image("sample.image")))
                return
            answer = json.dumps({"asked": line}).encode()
            head = f"HTTP/1.1 {self.answers['status']} Any\r\nContent-Type: application/json\r\nContent-Length: {len(answer)}\r\n\r\n"
            connection.sendall(head.encode() + answer)

    def patch(self) -> None:
        self.streams[-1].sendall(frame(2, "1.43.8.2", image("sample.patch")))

    def stop(self) -> None:
        self.listener.close()
        for stream in self.streams:
            stream.close()


def until(condition, game: Game) -> list[gameconf.Change]:
    changes = []
    end = time.monotonic() + 60
    while not condition():
        changes += game.wait(0.2)
        if time.monotonic() > end:
            raise AssertionError(f"not so within a minute: {game.status.last_error}")
    return changes


class ClientTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "games.sock")

    def test_values_come_with_the_image_and_change_with_the_patch(self):
        daemon = Daemon(self.path)
        self.addCleanup(daemon.stop)
        with Game("dots", player="p1", socket=self.path) as game:
            self.assertEqual(game.int("lives", 1), 1)
            until(lambda: game.status.state == gameconf.LIVE, game)
            self.assertEqual((game.int("lives", 1), game.double("speed", 0), game.bool("shadows", False)), (5, 2.5, True))
            self.assertEqual((game.string("title", ""), game.json("colours", [])), ("Où est le point ?", ["red", "blue"]))
            info = game.info("lives")
            self.assertEqual((info.source, info.revision, info.flags), (gameconf.PLAYER_OVERRIDE, 42, gameconf.VARIES | gameconf.OVERRIDDEN))
            self.assertTrue(game.theme_unlocked("aurora") and not game.theme_unlocked("neon"))
            daemon.patch()
            changes = until(lambda: game.int("lives", 1) == 3, game)
            self.assertIn(gameconf.Change(1, "lives", gameconf.PLAYER_OVERRIDE, gameconf.DEFAULT), changes)
            self.assertEqual(game.string("title", "gone"), "gone")
            self.assertTrue(game.theme_unlocked("neon"))

    def test_events_are_answered_in_their_order(self):
        daemon = Daemon(self.path)
        self.addCleanup(daemon.stop)
        with Game("dots", player="p1", socket=self.path) as game:
            numbers = [game.event("game_over", mode="classic", score=score) for score in range(5)]
            got = []

            def complete() -> bool:
                got.extend(game.answers())
                return len(got) == 5

            until(complete, game)
            self.assertEqual([answer.number for answer in got], numbers)
            self.assertEqual({answer.status for answer in got}, {200})
            events = [json.loads(body) for line, _, body in daemon.requests if "/events " in line]
            self.assertEqual([event["score"] for event in events], list(range(5)))

    def test_without_a_daemon_there_are_the_fallbacks_and_the_defaults(self):
        with Game("dots", socket=self.path, defaults=image("sample.image")) as game:
            game.update()
            self.assertEqual((game.int("lives", 1), game.int("nothing", 9), game.double("title", 0.5)), (5, 9, 0.5))
            self.assertEqual(game.status.state, gameconf.DEFAULTS)
            told = {change.name: change.kind for change in game.update()}
            self.assertEqual((told["nothing"], told["title"]), (7, 6))

    def test_bad_input_is_an_error_and_nothing_else(self):
        for player in ["", "a\nb", "x" * 257]:
            with self.assertRaises(OSError):
                Game("dots", player=player, flags=gameconf.OFFLINE)
        with Game("dots", flags=gameconf.OFFLINE) as game:
            with self.assertRaises(OSError):
                game.event("game_over")


if __name__ == "__main__":
    unittest.main()
