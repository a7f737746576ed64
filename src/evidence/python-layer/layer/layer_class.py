"""Classes of the product: their methods and their attributes answer through the layer."""

import enum
import inspect
import types

from .answers import answer
from .caller import by_product
from .calls import layered
from .config import IS_DEAF
from .memory import next_key, note
from .product_classes import classes, originals
from .shapes import class_name, shape_of

# Methods that stay the product's own: the language calls them while it makes, copies or drops an object.
KEPT = (
    "__new__",
    "__init_subclass__",
    "__class_getitem__",
    "__getattribute__",
    "__getattr__",
    "__setattr__",
    "__delattr__",
    "__del__",
    "__set_name__",
    "__reduce__",
    "__reduce_ex__",
    "__exit__",
    "__aexit__",
    "__hash__",
)


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
        if (
            found is not None
            and not isinstance(found, (property, types.MemberDescriptorType))
            and not hasattr(type(found), "__set__")
        ):
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
