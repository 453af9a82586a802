"""A game of the soak in Python: game.py BOARD PLACE PLAYER SOCKET CACHE; PYTHONPATH finds the client, GAMECONF_LIBRARY the library."""

import ctypes
import os
import sys

from gameconf import Game

soak = ctypes.CDLL("libsoak.so")
soak.soak_open.argtypes, soak.soak_open.restype = [ctypes.c_char_p, ctypes.c_int], ctypes.c_bool
soak.soak_begin.restype = ctypes.c_bool
soak.soak_seen.argtypes = [
    ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_char_p]
soak.soak_due.restype = ctypes.c_int64
soak.soak_recorded.argtypes = [ctypes.c_int64, ctypes.c_int64]
soak.soak_answer.argtypes = [ctypes.c_int64, ctypes.c_int, ctypes.c_char_p]

board, place, player, socket, cache = sys.argv[1:]
if not soak.soak_open(os.fsencode(board), int(place)):
    sys.exit(2)
with Game("soak", player=player, socket=socket, cache=cache) as own, Game("soak", socket=socket) as everybody:
    while soak.soak_begin():
        for number, game in enumerate((own, everybody)):
            for _ in game.update():
                pass
            status = game.status
            soak.soak_seen(number, status.state, b"%d" % status.epoch, status.revision, status.queued, game.int("beat", -1),
                           game.double("still", -1), game.string("label", "").encode())
        for answer in own.answers():
            soak.soak_answer(answer.number, answer.status, str(answer.body).encode())
        score = soak.soak_due()
        if score:
            soak.soak_recorded(own.event("game_over", mode="classic", score=score), score)
        soak.soak_end()
