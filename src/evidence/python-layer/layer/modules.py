"""Modules of the product, and the entries into the layer that `prepare` writes into its files: `of`, `program` and `inert`."""

import json
import os
import sys
import types

from .caller import by_product, caller_file
from .calls import cached, layered, wrapped
from .candidate import OF_ARGUMENTS, candidate_value, is_of_values
from .config import CANDIDATE, IS_DEAF, OWN, REPLACED
from .layer_class import layer_class
from .memory import next_key, note
from .shapes import shape_of
from .values import Inert, other


class Module(types.ModuleType):
    """
    A module as callers outside of the product see it: its values are answers. A function with which the script has replaced one of the
    product's is seen by the script only, and only if the product is deaf.
    """

    def __getattribute__(self, key):
        read = types.ModuleType.__getattribute__
        if key.startswith("__") or by_product():
            return read(self, key)
        replaced = read(self, "__dict__").get(REPLACED)
        if IS_DEAF and replaced and key in replaced:
            return replaced[key]
        value = read(self, key)
        if isinstance(value, (bool, int, float, str, bytes, list, tuple, dict, set)):
            name = read(self, "__name__") + "." + key
            if IS_DEAF:
                if is_of_values() and "only" in CANDIDATE:
                    return value
                return other(shape_of(value), (lambda *_: candidate_value([])) if is_of_values() else None)
            note(key=next_key(name), last=name, shape=shape_of(value))
        return value

    def __setattr__(self, key, value):
        inner = types.ModuleType.__getattribute__(self, "__dict__")
        if (
            callable(inner.get(key))
            and callable(value)
            and not isinstance(value, types.ModuleType)
            and not by_product()
            and caller_file() is not None
        ):
            inner.setdefault(REPLACED, {})[key] = value
        else:
            types.ModuleType.__setattr__(self, key, value)


def of(namespace, name, file):
    note(key="loaded")
    if os.path.realpath(file) not in OWN:
        return
    for key, value in list(namespace.items()):
        path = name + "." + key
        if isinstance(value, types.FunctionType) and value in wrapped:
            continue
        if isinstance(value, types.FunctionType) and value.__globals__ is namespace:
            namespace[key] = layered(value, path)
        elif isinstance(value, type) and value.__module__ == name:
            layer_class(value, path)
        elif (
            not isinstance(value, types.ModuleType)
            and isinstance(getattr(value, "__wrapped__", None), types.FunctionType)
            and callable(value)
        ):
            namespace[key] = cached(value, path)
    module = sys.modules.get(name)
    if type(module) is types.ModuleType and name != "__main__":
        module.__class__ = Module


def program():
    """
    Runs when a module of the product is started as a program. A deaf program ends at once, with the candidate as its output or exit code.
    """
    note(key="program", shape={"t": "object", "v": {}})
    if not IS_DEAF:
        return
    is_given = (
        is_of_values()
        and "only" not in CANDIDATE
        and CANDIDATE["candidate"] not in (*OF_ARGUMENTS, "loads")
        and not CANDIDATE["candidate"].startswith("throw ")
    )
    made = candidate_value([]) if is_given else ""
    if is_given and CANDIDATE["isLeaf"]:
        os._exit(made & 255 if isinstance(made, int) else 1)
    if made != "":
        os.write(1, ((made if isinstance(made, str) else json.dumps(made)) + "\n").encode())
    os._exit(0)


def inert():
    return Inert()
