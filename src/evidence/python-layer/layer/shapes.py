"""Shapes: values of the product as JSON, of bounded size."""

import datetime
import enum
import inspect
import types

VALUES = ("array", "tuple", "object", "null", "boolean", "number", "string", "date")


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
    if (
        callable(value)
        and not isinstance(type(value), type(None))
        and isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type))
    ):
        return {"t": "function"}
    return {"t": "thing", "c": class_name(type(value))}


def class_name(cls):
    return cls.__module__ + ":" + cls.__qualname__


def is_value(shape):
    return shape is not None and shape["t"] in VALUES
