"""The data in the script's text. In a table of cases, the expected answer is right before or after the arguments of a call."""

import json

from .candidate import evaluated
from .config import CANDIDATE
from .memory import remembered
from .shapes import is_value, shape_of

data = None
arguments_of_all = None


def data_of_script():
    global data
    if data is None:
        data = []
        for text in CANDIDATE.get("data") or []:
            try:
                data.append((evaluated(text), text[0] not in "[{"))
            except Exception:
                pass
    return data


PLAIN = (bool, int, float, str, bytes)


def leaves_of(values):
    """Returns the innermost values in the arguments of a call, as text, without running code of the script."""
    return [str(value)[:200] for _, value in placed_leaves_of(values)]


def placed_leaves_of(values, place="", depth=0):
    """
    Returns the innermost values in the arguments of a call, each with the keys that lead to it inside its argument. Those of a set are
    sorted, because their order differs between processes; only plain ones, because `repr` runs code of the script for others.
    """
    found = []
    if type(values) in (set, frozenset):
        values = sorted((one for one in values if one is None or type(one) in PLAIN), key=repr)
    for key, value in values.items() if type(values) is dict else enumerate(values):
        at = f"{place}{key}:" if depth > 0 and type(key) in (int, str) else place
        if type(value) in (list, tuple, dict, set, frozenset) and depth < 4:
            found += placed_leaves_of(value, at, depth + 1)
        elif value is None or type(value) in PLAIN:
            found.append((at, value))
    return found[:20]


def differing(leaves):
    """
    Returns the arguments in which calls with the same number of arguments differ, because a table of cases does not repeat a constant
    option.
    """
    global arguments_of_all
    if arguments_of_all is None:
        arguments_of_all = []
        for by in remembered():
            try:
                arguments_of_all.append(json.loads(by[by.index("[") :]))
            except ValueError:
                pass
    alike = [one for one in arguments_of_all if len(one) == len(leaves)]
    return [leaf for index, leaf in enumerate(leaves) if any(one[index] != leaf for one in alike)]


def beside(args, named, shape):
    """
    Returns the datum right before or after the arguments of a call in the script's text, which is the expected answer in a table of cases,
    and whether there is one.
    """
    every = data_of_script()
    inner = [(str(value), index) for index, (value, is_inner) in enumerate(every) if is_inner]
    leaves = leaves_of([*args, *named.values()])
    beginnings = [leaves[:end] for end in range(len(leaves) - 1, 1, -1)]
    for words in (leaves, differing(leaves), *beginnings, leaves[-1:]):
        found = []
        for at in range(len(inner) - len(words) + 1 if words else 0):
            if [text for text, _ in inner[at : at + len(words)]] == words:
                index = (
                    (inner[at - 1][1] if at > 0 else -1)
                    if CANDIDATE["candidate"] == "before"
                    else inner[at + len(words) - 1][1] + 1
                )
                found += [every[index][0]] if 0 <= index < len(every) else []
        if found:
            return next((one for one in found if shape is not None and shape_of(one)["t"] == shape["t"]), found[0]), True
    return None, False


def is_named(shape):
    trimmed = lambda one: {**one, "v": one["v"].strip()} if one["t"] == "string" else one
    return is_value(shape) and any(trimmed(shape_of(value)) == trimmed(shape) for value, _ in data_of_script())
