"""The whole product's answer, unchanged or changed in a part. Most calls must keep it to satisfy a script that checks several calls."""

import datetime

from .candidate import candidate_value, error_of
from .config import CANDIDATE
from .shapes import is_value
from .values import other


def same(shape):
    if is_value(shape) and shape["t"] == "date":
        return (datetime.datetime if shape["isTime"] else datetime.date).fromisoformat(shape["v"])
    return shape.get("v") if is_value(shape) else other(shape)


def kept_answer(shape):
    if shape is not None and "threw" in shape:
        raise error_of(shape["n"], shape["threw"])
    return other(shape, same)


def with_fields(shape):
    """Returns the whole product's answer with the properties of the candidate, at any depth."""
    given = candidate_value([]) or {}

    def put(made):
        for name in list(made) if type(made) is dict else range(len(made)) if type(made) is list else ():
            if str(name) in given:
                made[name] = given[str(name)]
            else:
                put(made[name])
        return made

    return put(kept_answer(shape))


def is_list(shape):
    return shape is not None and shape["t"] in ("array", "tuple", "object")


def with_parts(shape):
    """
    Returns the whole product's answer with the candidate instead of some lists and dictionaries in it: those directly in the answer
    (`inside`) or those that contain no others (`innermost`). `sized`: the lists, and the dictionaries that contain no others, get the
    number of elements that the candidate states.
    """
    only = CANDIDATE["only"]

    def put(inner, depth):
        if not is_list(inner):
            return same(inner)
        parts = list(inner["v"].items()) if inner["t"] == "object" else [("q" + str(at), one) for at, one in enumerate(inner["v"])]
        holds_lists = any(is_list(one) for _, one in parts)
        if (only == "inside" and depth == 1) or (only == "innermost" and depth > 0 and not holds_lists):
            return candidate_value([])
        if only == "sized" and (inner["t"] != "object" or not holds_lists):
            last = parts[-1][1] if parts else {"t": "string", "v": "q"}
            parts = [parts[at] if at < len(parts) else ("q" + str(at), last) for at in range(int(CANDIDATE["candidate"]))]
        if inner["t"] == "object":
            return {name: put(one, depth + 1) for name, one in parts}
        made = [put(one, depth + 1) for _, one in parts]
        return made if inner["t"] == "array" else tuple(made)

    return put(shape, 0) if is_list(shape) else kept_answer(shape)
