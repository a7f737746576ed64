/** A Python package with bugs, whose sources are the checkout's own: file names and texts. */
export const OWN_PYTHON_PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pykit: {
    "pyproject.toml": '[project]\nname = "pykit"\nversion = "2.3.1"\n',
    "pykit/__init__.py": String.raw`"""Small tools."""
from .money import LIMIT, Money
from .text import each, load, numbers, show, slug, tidy, words

__version__ = "2.3.1"
`,
    // slug leaves a dash at the end; words keeps empty ones; each skips the last; load counts one too many; numbers ends early.
    "pykit/text.py": String.raw`import re

from .trim import trim


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower())


def words(text):
    return text.split(" ")


def tidy(text):
    return trim(text) + ";"


def each(items, visit):
    for item in items[:-1]:
        visit(item)


def show(value):
    return str(value) + "."


async def load(name):
    return {"name": name, "size": len(name) + 1}


def numbers(to):
    for one in range(1, to):
        yield one
`,
    "pykit/trim.py": "def trim(text):\n    return text.lstrip()\n",
    "pykit/money.py": String.raw`from dataclasses import dataclass

LIMIT = 10


class Money:
    def __init__(self, cents):
        self.cents = cents

    def plus(self, other):
        return Money(self.cents + other.cents + 1)

    @property
    def euros(self):
        return self.cents / 10

    def __str__(self):
        return "%.1f EUR" % (self.cents / 100)

    def run(self):
        return str(self.work("x")) + "1"

    def work(self, text):
        return text


@dataclass
class Point:
    x: int
    y: int

    def swapped(self):
        return Point(self.x, self.y)
`,
    "pykit/__main__.py": String.raw`import sys

from .text import slug

if __name__ == "__main__":
    print(slug(" ".join(sys.argv[1:])))
`,
  },
};
