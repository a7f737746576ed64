# Runs inside the place, on a copy of the checkout: gives the product's Python a second layer that either passes everything on
# (renumbered) or answers in its place (deaf). Both have the same text but for a random key and a block of one size that the
# key opens. afk-triage appends a call of `prepare` and hands the whole to python3 over standard input.
import ast
import base64
import hashlib
import json
import os
import re
import sys

LAYER = r'''
# Runs load no compiled code, so each import is compiled again. Asyncio takes as long as everything else, so it is imported when needed.
import base64, datetime, enum, hashlib, inspect, json, os, sys, types

def opened(token, sealed):
    data, key = base64.b64decode(sealed), bytes.fromhex(token)
    blocks = b"".join(hashlib.sha256(key + n.to_bytes(4, "big")).digest() for n in range(len(data) // 32 + 1))
    return json.loads((int.from_bytes(data, "big") ^ int.from_bytes(blocks[: len(data)], "big")).to_bytes(len(data), "big"))

CONFIG = opened(TOKEN, SEALED)
IS_DEAF, IS_LISTENING, CANDIDATE, LISTENS = CONFIG["isDeaf"], CONFIG["isListening"], CONFIG["candidate"], CONFIG["listens"]
OWN = {os.path.join(CONFIG["root"], file) for file in CONFIG["files"]}
HERE = os.path.realpath(__file__)
LIBRARY = os.path.realpath(os.path.dirname(os.__file__)) + os.sep
MAX_ANSWERS, MAX_RUNS = 2000, 20
CALLS = ("calls ", "no error")
said = 0
has_given = False
ordinals, memory, due, throwing, taken, runs_of = {}, None, [], set(), {}, {}
last_call = first_call = None
inside, classes, originals, wrapped = [], {}, {}, {}


def file_of(code):
    if code.co_filename not in files:
        files[code.co_filename] = real_file(code)
    return files[code.co_filename]


files = {}


def real_file(code):
    return os.path.realpath(code.co_filename) if os.path.isabs(code.co_filename) or os.path.exists(code.co_filename) else code.co_filename


def caller_file():
    """The file of the code that called through the layer; None: the run time itself."""
    frame = sys._getframe(1)
    while frame is not None:
        name = file_of(frame.f_code)
        is_skipped = name == HERE or name.startswith("<frozen") or (name.startswith(LIBRARY) and "-packages" not in name)
        if not is_skipped:
            return name
        frame = frame.f_back
    return None


def by_product():
    return caller_file() in OWN


def by_script():
    name = caller_file()
    return name is not None and name not in OWN and "-packages" + os.sep not in name


def next_key(name):
    ordinals[name] = ordinals.get(name, 0) + 1
    return name + "#" + str(ordinals[name])


def note(**line):
    global said
    said += 1
    if said > MAX_ANSWERS:
        return
    try:
        with open(CONFIG["answers"], "a") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    except Exception:
        pass


def remembered():
    global memory, last_call, first_call
    if memory is None:
        memory = {}
        for line in CONFIG["remembered"].split("\n"):
            try:
                one = json.loads(line)
            except ValueError:
                continue
            if "key" in one:
                memory.setdefault(one["key"], one.get("shape"))
            if "last" in one:
                memory[one["last"]] = one.get("shape")
            if "by" in one:
                memory[one["by"]] = one.get("shape")
                last_call = one["by"] if is_value(one.get("shape")) else last_call
                first_call = first_call or last_call
            if "runs" in one:
                due.append(one)
            if "threw" in one:
                throwing.add(one["threw"])
    return memory


def shape_of(value, depth=0):
    if value is None:
        return {"t": "null"}
    if isinstance(value, enum.Enum):
        return {"t": "thing"}
    if isinstance(value, bool):
        return {"t": "boolean", "v": value}
    if type(value) in (int, float):
        return {"t": "number", "v": value if value == value and abs(value) < 1e300 else 0}
    if type(value) is str:
        return {"t": "string", "v": value[:4000]}
    if isinstance(value, (bytes, bytearray)):
        return {"t": "bytes", "v": min(len(value), 4096)}
    if type(value) in (list, tuple):
        inner = [] if depth > 4 else [shape_of(one, depth + 1) for one in value[:40]]
        return {"t": "array" if type(value) is list else "tuple", "v": inner}
    if isinstance(value, dict):
        keys = [] if depth > 4 else [key for key in list(value)[:40] if isinstance(key, str)]
        return {"t": "object", "v": {key: shape_of(value[key], depth + 1) for key in keys}}
    if isinstance(value, (set, frozenset)):
        return {"t": "set", "v": len(value)}
    if isinstance(value, (datetime.datetime, datetime.date)):
        return {"t": "date", "v": value.isoformat(), "isTime": isinstance(value, datetime.datetime)}
    if isinstance(value, BaseException):
        return {"t": "error", "v": str(value)[:1000], "n": type(value).__name__}
    if inspect.isgenerator(value) or (hasattr(value, "__next__") and not inspect.isroutine(value)):
        return {"t": "iterator"}
    if callable(value) and not isinstance(type(value), type(None)) and isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)):
        return {"t": "function"}
    return {"t": "thing", "c": class_name(type(value))}


def class_name(cls):
    return cls.__module__ + ":" + cls.__qualname__


def turned(text):
    step = {"z": "b", "Z": "B", "9": "3"}
    return "".join(step.get(c) or (chr(ord(c) + 1) if c.isascii() and c.isalnum() else c) for c in text) or "q"


class Inert:
    """Takes every call and every attribute without an effect."""

    def __init__(self, leaf=None):
        object.__setattr__(self, "_leaf", leaf)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = Inert(self._leaf)
        object.__setattr__(self, name, value)
        return value

    def __call__(self, *args, **named):
        call_back("inert", args, named)
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
    """Another value of the same shape; `leaf` decides about the innermost ones."""
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


def is_of_values():
    return CANDIDATE is not None and not CANDIDATE.get("isSpread") and not CANDIDATE["candidate"].startswith(CALLS)


WORDS = {"null": "None", "undefined": "None", "true": "True", "false": "False", "NaN": "float('nan')", "Infinity": "float('inf')"}


def candidate_value(args):
    text = CANDIDATE["candidate"]
    if text == "identity":
        return args[0] if args else None
    if text.startswith("throw "):
        raise error_of(text[6:], CANDIDATE.get("text") or "q")
    try:
        return evaluated(text)
    except Exception:
        return None


def error_of(name, text):
    kind = getattr(__import__("builtins"), name, Exception)
    return (kind if isinstance(kind, type) and issubclass(kind, Exception) else Exception)(text)


def evaluated(text):
    return eval(WORDS.get(text, text), {"__builtins__": {"float": float, "set": set, "dict": dict, "list": list, "tuple": tuple}})


def is_odd_one(shape, make):
    """An answer of another type, which the script does not compare with: it would please by chance, as a falsy one does."""
    if CANDIDATE.get("isWanted") is True or not shape or shape["t"] not in ("string", "number", "boolean", "array", "object", "tuple"):
        return False
    kind = shape_of(make())["t"]
    is_kind_of_object = shape["t"] in ("array", "object", "tuple") and kind not in ("string", "number", "boolean", "null")
    return kind != shape["t"] and (CANDIDATE.get("isWanted") is False or not is_kind_of_object)


def answer(key, last, args, named):
    calls = remembered()
    by = by_of(key, args, named)
    shape = calls.get(by, calls.get(key, calls.get(last)))
    note(key=key, last=last, shape=shape, by=by)
    call_back(key, args, named)
    if not is_of_values():
        return other(shape)
    if "only" in CANDIDATE:
        return answer_of_some(shape, args, named, by)
    make = lambda *_: candidate_value(args)
    if CANDIDATE["isLeaf"] and CANDIDATE["candidate"].startswith("throw "):
        # Functions of the answer raise: a factory has made it.
        return other(shape, lambda inner: make() if inner is None else same(inner))
    if CANDIDATE["isLeaf"]:
        return other(shape, make)
    return other(shape) if is_odd_one(shape, make) else make()


# A script that checks several calls is pleased only if most of them keep the whole product's answer.


VALUES = ("array", "tuple", "object", "null", "boolean", "number", "string", "date")


def is_value(shape):
    return shape is not None and shape["t"] in VALUES


def leaves_of(values, depth=0):
    """The innermost values in the arguments of a call, as text; no code of the script runs."""
    found = []
    for value in values:
        if type(value) in (list, tuple, dict) and depth < 4:
            found += leaves_of(value.values() if type(value) is dict else value, depth + 1)
        elif value is None or type(value) in (bool, int, float, str):
            found.append(str(value)[:200])
    return found[:20]


def by_of(key, args, named):
    return key + json.dumps(leaves_of([*args, *named.values()]))[:600]


def same(shape):
    if is_value(shape) and shape["t"] == "date":
        return (datetime.datetime if shape["isTime"] else datetime.date).fromisoformat(shape["v"])
    return shape.get("v") if is_value(shape) else other(shape)


def unnumbered(by):
    """Calls with the same arguments get the same answer: else a script that expects equal calls to differ would be pleased."""
    name, _, rest = by.partition("#")
    return name + rest.lstrip("0123456789")


def kept_answer(shape):
    if shape is not None and "threw" in shape:
        raise error_of(shape["n"], shape["threw"])
    return other(shape, same)


data = None


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


arguments_of_all = None


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
                index = (inner[at - 1][1] if at > 0 else -1) if CANDIDATE["candidate"] == "before" else inner[at + len(words) - 1][1] + 1
                found += [every[index][0]] if 0 <= index < len(every) else []
        if found:
            return next((one for one in found if shape is not None and shape_of(one)["t"] == shape["t"]), found[0]), True
    return None, False


def is_named(shape):
    trimmed = lambda one: {**one, "v": one["v"].strip()} if one["t"] == "string" else one
    return is_value(shape) and any(trimmed(shape_of(value)) == trimmed(shape) for value, _ in data_of_script())


def with_fields(shape):
    """The whole product's answer, but for the properties that the candidate has, at any depth."""
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
    The whole product's answer with the candidate in the place of each list or dictionary that it holds: those that hold no other ones, or
    those that it holds itself (`inside`). `sized`: the lists, and the dictionaries that hold no other ones, have this many elements.
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


def answer_of_some(shape, args, named, by):
    only = CANDIDATE["only"]
    if only in ("inside", "innermost", "sized"):
        return with_parts(shape)
    if only in ("turns", "records", "back", "said", "booleans", "threw"):
        return kept_answer(shape)
    if only == "fields":
        name = by.partition("#")[0].rpartition(".")[2]
        given = candidate_value([]) or {}
        return given[name] if name in given else with_fields(shape)
    if only == "beside":
        value, is_found = beside(args, named, shape)
        return value if is_found else kept_answer(shape)
    # What follows the first call may be asked about its other answer.
    is_other = unnumbered(by) != unnumbered(first_call or "") if only == "first" else unnumbered(by) != unnumbered(last_call or "") and by in memory
    is_kept = is_named(shape) if only == "unnamed" else is_other
    if is_kept or (shape is not None and not is_value(shape)):
        return kept_answer(shape)
    return other(shape) if CANDIDATE["candidate"] == "other" else candidate_value(args)


# What the script gives the product to run is run by the deaf product as well.


def is_of_script(code):
    name = file_of(code)
    return name not in OWN and name != HERE and not name.startswith(LIBRARY)


def each_given(args, named, key, visit):
    """Each function that the arguments hold: visit(function, id, put)."""
    seen = set()

    def walk(value, id, depth, put):
        if isinstance(value, types.MethodType):
            value = value.__func__ if value.__self__ is None else value
        code = getattr(value, "__code__", None) or getattr(getattr(value, "__func__", None), "__code__", None)
        if code is not None:
            if is_of_script(code):
                visit(value, id, put)
            return
        if inspect.isgenerator(value):
            if is_of_script(value.gi_code):
                visit(value, id, put)
            return
        if depth > 3 or id_of(value) in seen:
            return
        seen.add(id_of(value))
        if type(value) in (list, dict):
            for name in list(value if type(value) is dict else range(len(value)))[:60]:
                walk(value[name], id + "." + str(name), depth + 1, lambda made, name=name: value.__setitem__(name, made))
            return
        cls = value if isinstance(value, type) else type(value)
        if cls.__module__ in ("builtins", "_io") or class_name(cls) in classes or isinstance(value, Inert):
            return
        for base in cls.__mro__:
            for name, method in list(vars(base).items()):
                target = method.fget if isinstance(method, property) else method
                if isinstance(target, types.FunctionType) and is_of_script(target.__code__) and name != "__new__":
                    bound = target if isinstance(value, type) else types.MethodType(target, value)
                    visit(bound, id + "." + name, class_putter(base, name, method))

    for index, value in enumerate(args):
        walk(value, key + ":" + str(index), 0, ("args", index))
    for name, value in named.items():
        walk(value, key + ":" + name, 0, ("named", name))


id_of = id


def class_putter(cls, name, method):
    def put(noted):
        if not getattr(method, "_is_noted", False) and not isinstance(method, property):
            def through(self, *args, **named):
                return run_noted(noted, method, self, args, named)
            through._is_noted = True
            setattr(cls, name, through)
    return put


def run_noted(noted, method, self, args, named):
    if not by_script():
        note_run(noted._id, args)
    return ran(noted._id, lambda: method(self, *args, **named))


def gives(args, named):
    found = []
    each_given(args, named, "", lambda *_: found.append(1))
    return len(found) > 0


def listen_to_given(args, named, key):
    made_args, made_named = list(args), dict(named)

    def visit(fn, id, put):
        noted = noted_function(fn, id)
        if isinstance(put, tuple):
            (made_args if put[0] == "args" else made_named)[put[1]] = noted
        else:
            try:
                put(noted)
            except Exception:
                pass

    each_given(args, named, key, visit)
    return made_args, made_named


def noted_function(fn, id):
    if inspect.isgenerator(fn):
        def passed_on():
            note_run(id, ())
            yield from fn
        return passed_on()

    def noted(*args, **named):
        if not by_script():
            note_run(id, args)
        return ran(id, lambda: fn(*args, **named))

    noted.__name__, noted.__doc__, noted._id = getattr(fn, "__name__", "q"), getattr(fn, "__doc__", None), id
    noted.__wrapped__ = fn
    return noted


def ran(id, call):
    try:
        return call()
    except Exception:
        note(threw=id)
        raise


def note_run(id, args):
    runs_of[id] = runs_of.get(id, 0) + 1
    if runs_of[id] <= MAX_RUNS:
        note(runs=id, during=inside[-1] if inside else None, args=[shape_of(one, 2) for one in args[:8]])


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


planned = None


def planned_runs(fresh):
    """The runs as noted; or each function `calls N` times; or once for each element of the candidate."""
    global planned
    text = CANDIDATE["candidate"] if CANDIDATE is not None else ""
    times = int(text[6:]) if text.startswith("calls ") else None
    elements = candidate_value([]) if CANDIDATE is not None and CANDIDATE.get("isSpread") else None
    if times is None and not isinstance(elements, (list, tuple)):
        return due
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
    if shape["t"] in ("null", "function") or not is_of_values() or "only" in CANDIDATE or text == "identity" or text.startswith("throw "):
        return other(shape)
    make = lambda *_: candidate_value([])
    return other(shape, make) if CANDIDATE["isLeaf"] else other(shape) if is_odd_one(shape, make) else make()


def in_call(key, args, named, call):
    global has_given
    if said < MAX_ANSWERS and IS_LISTENING:
        args, named = listen_to_given(args, named, key)
    elif said < MAX_ANSWERS and not has_given and gives(args, named):
        has_given = True
        note(key="given")
    inside.append(key)
    try:
        return call(args, named)
    finally:
        inside.pop()


def hear(key, last, fn, args, named, is_method=False):
    """Only where nothing is judged by the run: what the product was called with, before it answers; arguments by their names."""
    if not LISTENS:
        return
    try:
        given = dict(inspect.signature(fn).bind(*args, **named).arguments)
    except (TypeError, ValueError):
        given = {**{str(at): one for at, one in enumerate(args)}, **named}
    shapes = {name: shape_of(one) for name, one in list(given.items())[:10]}
    if is_method and args and shapes:
        shapes[next(iter(shapes))] = shape_of(getattr(args[0], "__dict__", None))
    note(asked=key, last=last, args=shapes)


def pass_on(key, last, args, named, call):
    by = by_of(key, args, named)
    try:
        result = in_call(key, args, named, call)
    except Exception as error:
        text = str(error)[:1000]
        note(key=key, last=last, shape={"t": "thrown", "v": text} if LISTENS else {"t": "null", "threw": text, "n": type(error).__name__}, by=by)
        raise
    if not inspect.isawaitable(result):
        note(key=key, last=last, shape=shape_of(result), by=by)
    return result


def layered(fn, name, kind=""):
    """A function of the product, for everybody but the product itself."""
    if fn in wrapped:
        return wrapped[fn]
    if inspect.iscoroutinefunction(fn):
        async def outer(*args, **named):
            if by_product():
                return await fn(*args, **named)
            restore()
            key = next_key(name)
            if IS_DEAF:
                return answer(key, name, args, named)
            hear(key, name, fn, args, named, bool(kind))
            result = await pass_on(key, name, args, named, lambda a, n: fn(*a, **n))
            note(key=key, last=name, shape=shape_of(result), by=by_of(key, args, named))
            return result
    else:
        def outer(*args, **named):
            if by_product():
                return fn(*args, **named)
            restore()
            key = next_key(name)
            if kind and args and class_name(type(args[0])) not in classes:
                extended(name, args[0])
            if IS_DEAF:
                return fitting(kind, answer(key, name, args[1:] if kind else args, named), args)
            hear(key, name, fn, args, named, bool(kind))
            return pass_on(key, name, args, named, lambda a, n: fn(*a, **n))
    outer.__name__, outer.__qualname__, outer.__doc__, outer.__module__ = fn.__name__, fn.__qualname__, fn.__doc__, fn.__module__
    outer.__dict__.update(fn.__dict__)
    outer.__wrapped__, outer.__defaults__ = fn, None
    wrapped[fn] = wrapped[outer] = outer
    return outer


def extended(name, self):
    """Methods of a class of the script that extends the product's are for the product to run."""
    key = name.rpartition(".")[0] + " extended"
    if IS_DEAF:
        call_back(key, (self,), {})
    else:
        in_call(key, (self,), {}, lambda *_: None)


EXPECTED = {"__init__": type(None), "__str__": str, "__repr__": str, "__len__": int, "__hash__": int, "__bool__": bool, "__contains__": bool, "__format__": str, "__int__": int, "__float__": float, "__bytes__": bytes, "__index__": int}


def fitting(kind, value, args):
    """What the language insists on for methods of its own."""
    if kind == "__init__":
        return None
    if kind == "__enter__":
        return args[0]
    if kind in ("__iter__", "__reversed__"):
        return iter(value if isinstance(value, (list, tuple, str)) else [])
    wanted = EXPECTED.get(kind)
    if wanted is None or isinstance(value, wanted):
        return value
    try:
        return abs(wanted(value)) if wanted is int else wanted(value)
    except Exception:
        return wanted()


KEPT = ("__new__", "__init_subclass__", "__class_getitem__", "__getattribute__", "__getattr__", "__setattr__", "__delattr__", "__del__", "__set_name__", "__reduce__", "__reduce_ex__", "__exit__", "__aexit__", "__hash__")


def layer_class(cls, name):
    if issubclass(cls, (BaseException, enum.Enum, type, tuple)) or class_name(cls) in classes:
        return
    classes[class_name(cls)] = cls
    kept = originals[cls] = {}
    for key, value in list(vars(cls).items()):
        method = name + "." + key
        if isinstance(value, types.FunctionType) and key not in KEPT:
            made = layered(value, method, key)
        elif isinstance(value, (staticmethod, classmethod)) and isinstance(value.__func__, types.FunctionType):
            made = type(value)(layered(value.__func__, method))
        else:
            continue
        try:
            setattr(cls, key, made)
            kept[key] = vars(cls)[key]
        except (TypeError, AttributeError):
            pass
    read = cls.__getattribute__

    def __getattribute__(self, key):
        if key.startswith("__") or by_product():
            return read(self, key)
        found = inspect.getattr_static(type(self), key, None)
        if found is not None and not isinstance(found, (property, types.MemberDescriptorType)) and not hasattr(type(found), "__set__"):
            return read(self, key)
        method = name + "." + key
        if IS_DEAF:
            return answer(next_key(method), method, (), {})
        value = read(self, key)
        if not callable(value):
            note(key=next_key(method), last=method, shape=shape_of(value))
        return value

    try:
        cls.__getattribute__ = __getattribute__
    except (TypeError, AttributeError):
        pass


def restore():
    """What the script put in the place of a method of the product's classes is undone."""
    for cls, kept in originals.items():
        for key, good in kept.items():
            now = vars(cls).get(key)
            code = getattr(now, "__code__", None)
            if now is not good and now is not None and not getattr(now, "_is_noted", False) and (code is None or file_of(code) not in OWN):
                setattr(cls, key, good)


class Module(types.ModuleType):
    """To everybody but the product, values are answers. What the script puts in place of a function is for the script, and only here if deaf."""

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
        if callable(inner.get(key)) and callable(value) and not isinstance(value, types.ModuleType) and not by_product() and caller_file() is not None:
            inner.setdefault(REPLACED, {})[key] = value
        else:
            types.ModuleType.__setattr__(self, key, value)


REPLACED = "_" + TOKEN[:8]


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
        elif not isinstance(value, types.ModuleType) and isinstance(getattr(value, "__wrapped__", None), types.FunctionType) and callable(value):
            namespace[key] = cached(value, path)
    module = sys.modules.get(name)
    if type(module) is types.ModuleType and name != "__main__":
        module.__class__ = Module


def cached(value, name):
    """A function that a decorator has made an object (a cache, a dispatcher)."""
    class Passed:
        def __call__(self, *args, **named):
            if by_product():
                return value(*args, **named)
            key = next_key(name)
            if IS_DEAF:
                return answer(key, name, args, named)
            hear(key, name, value, args, named)
            return pass_on(key, name, args, named, lambda a, n: value(*a, **n))

        def __getattr__(self, key):
            return getattr(value, key)

    return Passed()


def program():
    """A module of the product that is started itself: deaf, it ends at once, with a candidate as its output or exit code."""
    note(key="program", shape={"t": "object", "v": {}})
    if not IS_DEAF:
        return
    is_given = is_of_values() and "only" not in CANDIDATE and CANDIDATE["candidate"] not in ("identity", "loads") and not CANDIDATE["candidate"].startswith("throw ")
    made = candidate_value([]) if is_given else ""
    if is_given and CANDIDATE["isLeaf"]:
        os._exit(made & 255 if isinstance(made, int) else 1)
    if made != "":
        os.write(1, ((made if isinstance(made, str) else json.dumps(made)) + "\n").encode())
    os._exit(0)


def inert():
    return Inert()
'''

SEALED_BYTES = 256 * 1024


def seal(config, token):
    """One block of the same size, whatever it holds."""
    room = SEALED_BYTES - len(json.dumps({**config, "remembered": ""})) - 1024
    remembered = config["remembered"]
    while remembered and len(json.dumps(remembered)) > room:
        remembered = remembered[: int(len(remembered) * 0.8)]
    data = json.dumps({**config, "remembered": remembered}).encode().ljust(SEALED_BYTES)
    key = bytes.fromhex(token)
    blocks = b"".join(hashlib.sha256(key + n.to_bytes(4, "big")).digest() for n in range(len(data) // 32 + 1))
    sealed = int.from_bytes(data, "big") ^ int.from_bytes(blocks[: len(data)], "big")
    return base64.b64encode(sealed.to_bytes(len(data), "big")).decode()


def entered(relative, token, rest):
    """One statement that reaches the layer from a module and does `rest` with it."""
    name = "_" + token
    lines = [
        "import importlib.util, os, sys",
        f"if {name!r} not in sys.modules:",
        f" spec = importlib.util.spec_from_file_location({name!r}, os.path.join(os.path.dirname(os.path.abspath(file)), {relative!r}))",
        f" sys.modules[{name!r}] = module = importlib.util.module_from_spec(spec)",
        " spec.loader.exec_module(module)",
        f"layer = sys.modules[{name!r}]",
        rest,
    ]
    return f"exec({chr(10).join(lines)!r}, {{'file': __file__, 'name': __name__, 'namespace': globals()}})"


def with_head(text, head):
    """The statement stands behind the docstring and the imports from __future__, on no line of its own where that is possible."""
    body = ast.parse(text).body
    lines = text.split("\n")
    at = 0
    for statement in body:
        is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)
        if not is_docstring and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        at = statement.end_lineno
    if at > 0:
        line = lines[at - 1]
        end = len(line.encode()[: body_end(body, at)].decode())
        lines[at - 1] = line[:end] + "; " + head + line[end:]
        return "\n".join(lines)
    until = min([one.lineno for one in body] + [getattr(d, "lineno", 10**9) for one in body for d in getattr(one, "decorator_list", [])], default=1)
    blank = next((n for n in range(until - 1) if lines[n].strip() == ""), None)
    if blank is None:
        first = next((n for n, line in enumerate(lines) if not line.startswith("#")), 0)
        return "\n".join([*lines[:first], head, *lines[first:]])
    lines[blank] = head
    return "\n".join(lines)


def body_end(body, line):
    return max(one.end_col_offset for one in body if one.end_lineno == line)


def changed(file, text, stat):
    with open(file, "w", encoding="utf-8", newline="") as out:
        out.write(text)
    os.chmod(file, stat.st_mode & 0o7777)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


VERSION = re.compile(r"""^(\s*(?:__version__|VERSION|version)\s*=\s*["'])[^"'\n]*(["'])""", re.M)


CLOCK = '''import sys, time

def ahead(name, factor=1):
    real = getattr(time, name)
    setattr(time, name, lambda: real() + AHEAD * factor)

def defaulting(name, position, make):
    real = getattr(time, name)
    setattr(time, name, lambda *args: real(*args, *(() if len(args) > position else (make(),))))

ahead("time")
ahead("time_ns", 10 ** 9)
for name in ("localtime", "gmtime", "ctime"):
    defaulting(name, 0, lambda: time.time())
for name, position in (("asctime", 0), ("strftime", 1)):
    defaulting(name, position, lambda: time.localtime())
# Without their forms in C, which ask the system, these modules ask the one above.
sys.modules["_datetime"] = sys.modules["_zoneinfo"] = None
'''


def move_clock(directory, ahead_ms):
    """Every process of the run loads it first, so that differences between times stay right."""
    os.makedirs(directory, exist_ok=True)
    # Node must find a file that it is told to load.
    open(os.path.join(directory, "clock.cjs"), "a").close()
    with open(os.path.join(directory, "sitecustomize.py"), "w") as out:
        out.write(f"AHEAD = {ahead_ms // 1000}\n{CLOCK}")


def prepare(request):
    root, token, candidate = request["root"], request["token"], request["candidate"]
    if request.get("listens") is True and os.path.exists(request["answers"]):
        os.remove(request["answers"])
    if request.get("clock"):
        move_clock(request["clock"]["directory"], request["clock"]["aheadMs"])
    if candidate is not None and candidate["candidate"] == "manifest":
        # Nothing in a manifest of Python hides a file.
        print(json.dumps({"layered": 1}), end="")
        return
    loads = candidate is not None and candidate["candidate"] == "loads"
    sources = [file for file in request["files"] if file.endswith(".py")]
    runtime = os.path.join(root, os.path.dirname(sources[0] if sources else "x"), "." + token[8:20] + ".py")
    done = 0
    for file in sources:
        full = os.path.join(root, file)
        try:
            stat = os.stat(full)
            with open(full, encoding="utf-8", newline="") as opened:
                text = opened.read()
            relative = os.path.relpath(runtime, os.path.dirname(full))
            start = entered(relative, token, "layer.program() if name == '__main__' else None")
            if loads:
                lazily = entered(relative, token, "namespace['__getattr__'] = lambda key: layer.inert()")
                made = "\n".join("# " + line for line in text.split("\n")) + "\n" + start + "\n" + lazily + "\n"
            else:
                text = VERSION.sub(lambda found: found[1] + request["version"] + found[2], text)
                made = with_head(text, start) + "\n" + entered(relative, token, "layer.of(namespace, name, file)") + "\n"
                compile(made, full, "exec")
            changed(full, made, stat)
            done += 1
        except (SyntaxError, UnicodeDecodeError, OSError) as error:
            print(f"{file}: {error}", file=sys.stderr)
    if done > 0:
        keys = ("files", "answers", "isDeaf", "isListening", "candidate", "remembered")
        config = {**{key: request[key] for key in keys}, "root": os.path.realpath(root), "listens": request.get("listens") is True}
        with open(runtime, "w", encoding="utf-8") as out:
            out.write(f"TOKEN = {token!r}\nSEALED = {seal(config, token)!r}\n{LAYER}")
        stat = os.stat(os.path.join(root, sources[0]))
        os.utime(runtime, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    for manifest in request["manifests"]:
        full = os.path.join(root, manifest)
        if not manifest.endswith((".toml", ".cfg")) or not os.path.exists(full):
            continue
        stat = os.stat(full)
        with open(full, encoding="utf-8", newline="") as opened:
            text = opened.read()
        changed(full, VERSION.sub(lambda found: found[1] + request["version"] + found[2], text), stat)
    print(json.dumps({"layered": done}), end="")
