"""Who calls the product: the script, a library, or the product itself."""

import os
import sys

from .config import OWN

HERE = os.path.realpath(__file__)
LIBRARY = os.path.realpath(os.path.dirname(os.__file__)) + os.sep

files = {}


def file_of(code):
    if code.co_filename not in files:
        files[code.co_filename] = real_file(code)
    return files[code.co_filename]


def real_file(code):
    return (
        os.path.realpath(code.co_filename)
        if os.path.isabs(code.co_filename) or os.path.exists(code.co_filename)
        else code.co_filename
    )


def caller_file():
    """Returns the file of the code that called through the layer; None: only the run time called."""
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


def is_of_script(code):
    name = file_of(code)
    return name not in OWN and name != HERE and not name.startswith(LIBRARY)
