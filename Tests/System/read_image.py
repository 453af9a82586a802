"""Maps a game's values as a game would, without a socket, and says what it sees until it sees the last value it is to wait for.

read_image.py GAME KEY LAST: a line `STATE VALUE` at each change; no read may fail.
"""
import ctypes
import glob
import sys
import time

STATES = ["none", "defaults", "cached", "live"]


class Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t), ("game", ctypes.c_char_p), ("player", ctypes.c_char_p), ("locale", ctypes.c_char_p),
        ("context", ctypes.c_char_p), ("socket", ctypes.c_char_p), ("cache", ctypes.c_char_p), ("defaults", ctypes.c_void_p),
        ("defaults_size", ctypes.c_size_t), ("flags", ctypes.c_uint32), ("images", ctypes.c_char_p),
    ]


class Status(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("state", ctypes.c_int32)]


def main(game, key, last):
    library = ctypes.CDLL((glob.glob("/usr/lib/libgameconf.so.1") + glob.glob("/usr/lib/*/libgameconf.so.1"))[0])
    library.gameconf_int.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64]
    library.gameconf_int.restype = ctypes.c_int64
    for name in ("gameconf_update", "gameconf_close"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    library.gameconf_status.argtypes = [ctypes.c_void_p, ctypes.POINTER(Status)]
    handle = ctypes.c_void_p()
    options = Options(
        size=ctypes.sizeof(Options), game=game.encode(), socket=b"/nowhere", images=b"/run/gameconfd/images")
    if library.gameconf_open(ctypes.byref(handle), ctypes.byref(options)) != 0:
        return "the library does not open"
    status = Status(size=ctypes.sizeof(Status))
    told, known = None, False
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        library.gameconf_update(handle)
        library.gameconf_status(handle, ctypes.byref(status))
        value = library.gameconf_int(handle, key.encode(), -1)
        if known and value == -1:
            return "a read failed"
        known = known or value != -1
        if (status.state, value) != told:
            told = (status.state, value)
            print(STATES[status.state], value, flush=True)
        if status.state == 3 and value == last:
            library.gameconf_close(handle)
            return None
        time.sleep(0.002)
    return "the last value did not come"


sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
