"""Other values of the same shape."""

import datetime

from .product_classes import classes


def turned(text):
    step = {"z": "b", "Z": "B", "9": "3"}
    return "".join(step.get(c) or (chr(ord(c) + 1) if c.isascii() and c.isalnum() else c) for c in text) or "q"


class Inert:
    """Accepts every call and every attribute without an effect, except that it runs the functions that a call of it gives."""

    # Set by runs.py.
    _run_given = None

    def __init__(self, leaf=None):
        object.__setattr__(self, "_leaf", leaf)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = Inert(self._leaf)
        object.__setattr__(self, name, value)
        return value

    def __call__(self, *args, **named):
        Inert._run_given("inert", args, named)
        return self._leaf(None) if self._leaf else Inert()

    def __str__(self):
        return "q"

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 1

    def __bool__(self):
        return True

    def __getitem__(self, key):
        return self._leaf(None) if self._leaf else Inert()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def other(shape, leaf=None):
    """Returns another value of the same shape. `leaf` makes the innermost values."""
    kind = shape["t"] if shape else None
    if kind is None:
        return leaf(shape) if leaf else Inert()
    if kind in ("array", "tuple"):
        made = [other(one, leaf) for one in shape["v"]] or ([] if leaf else ["q"])
        return made if kind == "array" else tuple(made)
    if kind == "object":
        return {key: other(one, leaf) for key, one in shape["v"].items()} or ({} if leaf else {"q": "q"})
    if kind == "set":
        return {"q" + str(n) for n in range(min(shape["v"] + 1, 8))}
    if kind == "iterator":
        return iter([leaf(None)] if leaf else [])
    if kind == "function":
        return Inert(leaf)
    if kind == "thing":
        return like_thing(shape.get("c"), leaf)
    if leaf:
        return leaf(shape)
    if kind == "null":
        return None
    if kind == "boolean":
        return not shape["v"]
    if kind == "number":
        return shape["v"] + 1
    if kind == "string":
        return turned(shape["v"])
    if kind == "bytes":
        return b"q" * (shape["v"] + 1)
    if kind == "date":
        cls = datetime.datetime if shape["isTime"] else datetime.date
        return cls.fromisoformat(shape["v"]) + datetime.timedelta(days=1)
    if kind == "error":
        return Exception(turned(shape["v"]))
    return Inert()


def like_thing(name, leaf):
    cls = classes.get(name)
    if cls is None:
        return Inert(leaf)
    try:
        return object.__new__(cls)
    except TypeError:
        return Inert(leaf)
