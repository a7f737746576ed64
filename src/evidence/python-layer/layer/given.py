"""The functions, generators and methods that the script gives the product to run."""

import inspect
import types

from .caller import by_script, is_of_script
from .memory import note
from .product_classes import classes
from .shapes import class_name, shape_of
from .values import Inert

MAX_RUNS = 20

inside, runs_of = [], {}
id_of = id


def each_given(args, named, key, visit):
    """Calls visit(function, id, put) for each function in the arguments."""
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
