"""The candidate: the value or the rule from which a deaf product makes its answers."""

import copy
import json

from .config import CANDIDATE
from .shapes import shape_of

CALLS = ("calls ", "no error")
WORDS = {"null": "None", "undefined": "None", "true": "True", "false": "False", "NaN": "float('nan')", "Infinity": "float('inf')"}


def is_of_values():
    return CANDIDATE is not None and not CANDIDATE.get("spread") and not CANDIDATE["candidate"].startswith(CALLS)


def candidate_value(args):
    text = CANDIDATE["candidate"]
    if text in OF_ARGUMENTS:
        try:
            return OF_ARGUMENTS[text](*args) if args else None
        except Exception:
            return args[0]
    if text.startswith("throw "):
        raise error_of(text[6:], CANDIDATE.get("text") or "q")
    try:
        return evaluated(text)
    except Exception:
        return None


def merged(*args):
    made = {}
    for one in args:
        for key, value in one.items():
            is_inner = isinstance(value, dict) and isinstance(made.get(key), dict)
            made[key] = merged(made[key], value) if is_inner else copy.deepcopy(value)
    return made


# The candidates that are made from the arguments of each call, by their special words.
OF_ARGUMENTS = {
    "identity": lambda first, *_: first,
    "copy": lambda first, *_: copy.deepcopy(first),
    "merged": merged,
    "json": lambda first, *_: json.dumps(first),
    "source": lambda first, *_: repr(first),
}


def error_of(name, text):
    kind = getattr(__import__("builtins"), name, Exception)
    return (kind if isinstance(kind, type) and issubclass(kind, Exception) else Exception)(text)


def evaluated(text):
    return eval(WORDS.get(text, text), {"__builtins__": {"float": float, "set": set, "dict": dict, "list": list, "tuple": tuple}})


def is_of_unexpected_type(shape, make):
    """
    Returns whether the candidate has another type than the answer, and the script does not compare with it. Such a value could satisfy the
    script by chance, as a falsy value does.
    """
    if (
        CANDIDATE.get("isWanted") is True
        or not shape
        or shape["t"] not in ("string", "number", "boolean", "array", "object", "tuple")
    ):
        return False
    kind = shape_of(make())["t"]
    is_kind_of_object = shape["t"] in ("array", "object", "tuple") and kind not in ("string", "number", "boolean", "null")
    return kind != shape["t"] and (CANDIDATE.get("isWanted") is False or not is_kind_of_object)
