"""What a value costs in Python by ctypes, beside an empty C function called the same way: value.py IMAGE; processor time, the best of several rounds."""

import ctypes
import sys
import time
import timeit

from gameconf import OFFLINE, Game

COUNT = 100_000
empty = ctypes.CDLL("libempty.so").empty
empty.argtypes, empty.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double], ctypes.c_double


def best(statement: str, **names) -> float:
    return min(timeit.repeat(statement, globals=names, timer=time.process_time, number=COUNT, repeat=15)) / COUNT * 1e9


with open(sys.argv[1], "rb") as file:
    image = file.read()
with Game("dots", player="p1", flags=OFFLINE, defaults=image) as game:
    figure, nothing = best('read("speed", 0.0)', read=game.double), best('empty(None, b"speed", 0.0)', empty=empty)
print(f"{'a value by name, ctypes':<44} {figure:8.1f} ns  budget {1300:6d} ns  {'met   ' if figure <= 1300 else 'MISSED'}  an empty C function {nothing:22.1f}"
      f"  ratio {figure / nothing:.2f}")
