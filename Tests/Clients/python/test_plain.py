"""The plain client against a daemon with the shipped games, and behind a socket where nobody is.

    test_plain.py [SOCKET]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import plain

SOCKET = sys.argv.pop(1) if len(sys.argv) > 1 else None


class Case(unittest.TestCase):
    def game(self, *arguments):
        game = plain.Game("wheresthedot", *arguments)
        self.addCleanup(game.close)
        return game


class WithoutADaemon(Case):
    def test_values_are_the_fallbacks_and_events_wait(self):
        with tempfile.TemporaryDirectory() as folder:
            game = self.game("p1", folder, folder + "/nobody")
            self.assertFalse(game.refresh())
            self.assertEqual(game.value("arcade_time_limit_base", 2.5), 2.5)
            game.event(event="game_over", mode="classic", score=5, reason="timeUp")
            self.assertEqual(game.flush(), [])
            again = self.game("p1", folder, folder + "/nobody")
            self.assertEqual([event["score"] for event in again.kept["queue"]], [5])

    def test_it_has_at_most_eighty_lines(self):
        with open(plain.__file__) as file:
            lines = [line for line in file if line.strip()]
        self.assertLessEqual(len(lines), 80)


@unittest.skipUnless(SOCKET, "no daemon is built")
class WithADaemon(Case):
    def test_values_are_refreshed_and_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            game = self.game("plain1", folder, SOCKET)
            self.assertTrue(game.refresh())
            self.assertEqual(game.value("arcade_difficulty_step", 1), 5)
            self.assertEqual(game.value("arcade_difficulty_step", "a text"), "a text")
            etag = game.kept["etag"]
            subprocess.run(["gameconfctl", "config", "set", "wheresthedot", "arcade_difficulty_step", "7"], check=True, capture_output=True)
            self.assertTrue(game.refresh())
            self.assertEqual(game.value("arcade_difficulty_step", 1), 7)
            self.assertNotEqual(game.kept["etag"], etag)
            self.assertTrue(game.refresh(), "nothing new is as good")
            later = self.game("plain1", folder, folder + "/nobody")
            self.assertEqual(later.value("arcade_difficulty_step", 1), 7)

    def test_what_waited_is_counted_once(self):
        with tempfile.TemporaryDirectory() as folder:
            game = self.game("plain2", folder, folder + "/nobody")
            for score in (10, 20, 25):
                game.event(event="game_over", mode="classic", score=score, reason="timeUp")
            self.assertEqual(game.flush(), [])
            with open(game.file) as file:
                before = file.read()
            answers = self.game("plain2", folder, SOCKET).flush()
            self.assertEqual(answers[-1]["scores"]["lifetime_score"], 55)
            self.assertIn("forest", {theme for answer in answers for theme in answer["unlocked"]["themes"]})
            # The game died before it wrote down what was answered: it sends all of it again.
            with open(game.file, "w") as file:
                file.write(before)
            again = self.game("plain2", folder, SOCKET).flush()
            self.assertEqual(len(again), 3)
            shown = subprocess.run(["gameconfctl", "player", "show", "wheresthedot", "plain2", "--json"], check=True, capture_output=True, text=True)
            self.assertEqual(json.loads(shown.stdout)["scores"]["games_played"], 3)

    def test_what_is_refused_leaves_the_queue(self):
        with tempfile.TemporaryDirectory() as folder:
            game = self.game("plain3", folder, SOCKET)
            game.event(event="no_such_event")
            game.event(event="game_over", mode="classic", score=1, reason="timeUp")
            answers = game.flush()
            self.assertEqual([answer.get("code") for answer in answers][1:], [None])
            self.assertTrue(answers[0]["code"])
            self.assertEqual(game.kept["queue"], [])


if __name__ == "__main__":
    unittest.main()
