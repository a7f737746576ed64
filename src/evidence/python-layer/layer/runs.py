"""The deaf product also runs what the script gives it, as often as the whole product does, with other values."""

import inspect

from .candidate import OF_ARGUMENTS, candidate_value, is_of_unexpected_type, is_of_values
from .config import CANDIDATE
from .given import each_given, MAX_RUNS
from .memory import due, remembered, throwing
from .values import Inert, other

taken = {}
planned = None


def call_back(key, args, named):
    remembered()
    fresh = []

    def visit(fn, id, _put):
        if id not in taken:
            taken[id] = fn
            fresh.append(id)

    each_given(args, named, key, visit)
    for one in planned_runs(fresh):
        if not one.get("isDone") and one["runs"] in taken and one["during"] in (key, None):
            one["isDone"] = True
            run(one)


def planned_runs(fresh):
    """
    Returns the runs as they were recorded. With the candidate `calls N`, each function runs N times; with a list as candidate, once for
    each element, or each recorded run gets an element.
    """
    global planned
    text = CANDIDATE["candidate"] if CANDIDATE is not None else ""
    times = int(text[6:]) if text.startswith("calls ") else None
    elements = candidate_value([]) if CANDIDATE is not None and CANDIDATE.get("spread") else None
    if times is None and not isinstance(elements, (list, tuple)):
        return due
    if times is None and CANDIDATE.get("spread") == "calls":
        if planned is None:
            more = [{**due[-1]} for _ in elements[len(due) : MAX_RUNS]] if due else []
            planned = [{**one, "element": elements[n]} if n < len(elements) else one for n, one in enumerate(due + more)]
        return planned
    count = min(times if times is not None else len(elements), MAX_RUNS)

    def repeated(one):
        return [{**one, **({} if times is not None else {"element": elements[n]})} for n in range(count)]

    if planned is None:
        firsts = {one["runs"]: one for one in reversed(due)}
        planned = [made for one in firsts.values() for made in repeated(one)]
    if times is not None:
        known = {one["runs"] for one in due}
        planned += [made for id in fresh if id not in known for made in repeated({"runs": id, "args": [], "during": None})]
    return planned


def run(one):
    fn = taken[one["runs"]]
    if inspect.isgenerator(fn):
        return [value for value, _ in zip(fn, range(MAX_RUNS))]
    has_error = any(shape["t"] == "error" for shape in one["args"])
    is_calm = CANDIDATE is not None and CANDIDATE["candidate"] == "no error" and has_error
    values = [None if is_calm and shape["t"] == "error" else given_value(shape) for shape in one["args"]]
    if "element" in one:
        values[:1] = [one["element"]]
    try:
        result = fn(*values)
        if inspect.iscoroutine(result):
            import asyncio

            try:
                asyncio.get_running_loop().create_task(result)
            except RuntimeError:
                asyncio.run(result)
    except Exception:
        if one["runs"] in throwing:
            raise


def given_value(shape):
    text = CANDIDATE["candidate"] if CANDIDATE is not None else ""
    if (
        shape["t"] in ("null", "function")
        or not is_of_values()
        or "only" in CANDIDATE
        or text in OF_ARGUMENTS
        or text.startswith("throw ")
    ):
        return other(shape)
    make = lambda *_: candidate_value([])
    return other(shape, make) if CANDIDATE["isLeaf"] else other(shape) if is_of_unexpected_type(shape, make) else make()


Inert._run_given = staticmethod(call_back)
