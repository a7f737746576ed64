"""Loaded by every Python process of a run whose clock is moved. `AHEAD` is in seconds."""

import sys, time


def ahead(name, factor=1):
    real = getattr(time, name)
    setattr(time, name, lambda: real() + AHEAD * factor)


def defaulting(name, position, make):
    real = getattr(time, name)
    setattr(time, name, lambda *args: real(*args, *(() if len(args) > position else (make(),))))


ahead("time")
ahead("time_ns", 10**9)
for name in ("localtime", "gmtime", "ctime"):
    defaulting(name, 0, lambda: time.time())
for name, position in (("asctime", 0), ("strftime", 1)):
    defaulting(name, position, lambda: time.localtime())
# The C versions of these modules ask the system for the time; the Python versions ask the module changed above.
sys.modules["_datetime"] = sys.modules["_zoneinfo"] = None
