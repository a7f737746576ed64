"""Functions of the product, for callers outside of it."""

import inspect

from .answers import answer, by_of
from .caller import by_product
from .config import IS_DEAF, IS_LISTENING, RECORDS_ARGUMENTS
from .given import gives, inside, listen_to_given
from .memory import is_full, next_key, note
from .product_classes import classes, restore
from .runs import call_back
from .shapes import class_name, shape_of

RESULT_TYPES = {
    "__init__": type(None),
    "__str__": str,
    "__repr__": str,
    "__len__": int,
    "__hash__": int,
    "__bool__": bool,
    "__contains__": bool,
    "__format__": str,
    "__int__": int,
    "__float__": float,
    "__bytes__": bytes,
    "__index__": int,
}

has_given = False
wrapped = {}


def in_call(key, args, named, call):
    global has_given
    if not is_full() and IS_LISTENING:
        args, named = listen_to_given(args, named, key)
    elif not is_full() and not has_given and gives(args, named):
        has_given = True
        note(key="given")
    inside.append(key)
    try:
        return call(args, named)
    finally:
        inside.pop()


def note_arguments(key, last, fn, args, named, is_method=False):
    """Records the arguments of a call, by name, before the product answers, but only in runs on which no verdict depends."""
    if not RECORDS_ARGUMENTS:
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
        note(
            key=key,
            last=last,
            shape={"t": "thrown", "v": text} if RECORDS_ARGUMENTS else {"t": "null", "threw": text, "n": type(error).__name__},
            by=by,
        )
        raise
    if not inspect.isawaitable(result):
        note(key=key, last=last, shape=shape_of(result), by=by)
    return result


def layered(fn, name, kind=""):
    """Returns a function of the product as callers outside of it get it."""
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
            note_arguments(key, name, fn, args, named, bool(kind))
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
                return as_required(kind, answer(key, name, args[1:] if kind else args, named), args)
            note_arguments(key, name, fn, args, named, bool(kind))
            return pass_on(key, name, args, named, lambda a, n: fn(*a, **n))

    outer.__name__, outer.__qualname__, outer.__doc__, outer.__module__ = fn.__name__, fn.__qualname__, fn.__doc__, fn.__module__
    outer.__dict__.update(fn.__dict__)
    outer.__wrapped__, outer.__defaults__ = fn, None
    wrapped[fn] = wrapped[outer] = outer
    return outer


def extended(name, self):
    """If a class of the script extends the product's class, the product may call the methods of that class."""
    key = name.rpartition(".")[0] + " extended"
    if IS_DEAF:
        call_back(key, (self,), {})
    else:
        in_call(key, (self,), {}, lambda *_: None)


def as_required(kind, value, args):
    """Returns the value in the type that Python requires of special methods."""
    if kind == "__init__":
        return None
    if kind == "__enter__":
        return args[0]
    if kind in ("__iter__", "__reversed__"):
        return iter(value if isinstance(value, (list, tuple, str)) else [])
    wanted = RESULT_TYPES.get(kind)
    if wanted is None or isinstance(value, wanted):
        return value
    try:
        return abs(wanted(value)) if wanted is int else wanted(value)
    except Exception:
        return wanted()


def cached(value, name):
    """Returns an object for a function that a decorator has made an object (a cache, a dispatcher)."""

    class Passed:
        def __call__(self, *args, **named):
            if by_product():
                return value(*args, **named)
            key = next_key(name)
            if IS_DEAF:
                return answer(key, name, args, named)
            note_arguments(key, name, value, args, named)
            return pass_on(key, name, args, named, lambda a, n: value(*a, **n))

        def __getattr__(self, key):
            return getattr(value, key)

    return Passed()
