"""The data in the script's text: in a table of cases, what the script expects is beside the arguments of a call."""

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


def leaves_of(values, depth=0):
    """The innermost values in the arguments of a call, as text; no code of the script runs."""
    found = []
    for value in values:
        if type(value) in (list, tuple, dict) and depth < 4:
            found += leaves_of(value.values() if type(value) is dict else value, depth + 1)
        elif value is None or type(value) in (bool, int, float, str):
            found.append(str(value)[:200])
    return found[:20]


def differing(leaves):
    """The arguments that not every call with as many of them shares: a table of cases does not repeat an option."""
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
    """The datum beside the arguments of a call in the script's text: in a table of cases it is what the script expects."""
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
