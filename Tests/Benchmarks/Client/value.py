"""What a value costs in Python by ctypes, beside an empty C function called the same way: value.py IMAGE; processor time, the best of several rounds."""

import ctypes
import sys
import time

from gameconf import OFFLINE, Game

COUNT = 100_000
empty = ctypes.CDLL("libempty.so").empty
empty.argtypes, empty.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double], ctypes.c_double


def best(read) -> float:
    least = float("inf")
    for _ in range(9):
        start = time.process_time_ns()
        for _ in range(COUNT):
            read()
        least = min(least, (time.process_time_ns() - start) / COUNT)
    return least


with open(sys.argv[1], "rb") as file:
    image = file.read()
with Game("dots", player="p1", flags=OFFLINE, defaults=image) as game:
    double, read = empty, game.double
    figure, nothing = best(lambda: read("speed", 0.0)), best(lambda: double(None, b"speed", 0.0))
print(f"{'a value by name, ctypes':<44} {figure:8.1f} ns  budget {1300:6d} ns  {'met   ' if figure <= 1300 else 'MISSED'}  an empty C function {nothing:22.1f}"
      f"  ratio {figure / nothing:.2f}")
