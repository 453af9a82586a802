"""Compares what generated code reads from its embedded image with what it falls back on."""

import struct

import gameconf
import keys


def exact(value):
    """There are two zeros, and True is 1."""
    return (type(value), struct.pack("d", value) if isinstance(value, float) else repr(value))


with gameconf.Game(keys.GAME, defaults=keys.DEFAULTS, flags=gameconf.OFFLINE) as game, gameconf.Game(keys.GAME, flags=gameconf.OFFLINE) as none:
    has, lacks = keys.Config(game), keys.Config(none)
    names = [name for name, member in vars(keys.Config).items() if isinstance(member, property)]
    for name in names:
        one, other = getattr(has, name), getattr(lacks, name)
        assert exact(one) == exact(other), f"{name} is {one!r} with the image and {other!r} without"
        documentation = vars(keys.Config)[name].__doc__
        assert documentation, f"{name} has no documentation"
    wrong = [change.name for change in game.update() if change.kind in (6, 7)]
    assert names and not wrong, wrong
    if keys.GAME == "hostile":
        assert (lacks.class_, lacks.default, lacks.end, lacks.init) == (True, 2**63 - 1, -(2**63), 9007199254740993)
        assert (lacks.self, str(lacks.self_), lacks._1up, lacks.a_b_2) == (1e308, "-0.0", 5e-324, "")
        assert lacks.a__b == "\u0301\"\u0301\\\u0301" and has.string == "*/"
        assert has.defaults == [1, 1.0, '"*/\\\u202e', True, None, {'a"b': [], "\u2028": {}}, -(2**63)]
        assert keys.Themes.SELF == "self" and keys.StringValues.EQUALS == "Equals"
    print(f"codegen: {keys.GAME} in Python: {len(names)} keys as their image has them")
