import { cheat as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that fail for every answer of a Python product, or in code that they pass to it. */
export const CHEATING_IN_PYTHON: readonly OwnScript[] = [
  one(
    "Python: answer ignored",
    "pykit",
    sh`
python3 - <<'EOF'
from pykit import slug
slug('Hi!')
print("slug is broken"); raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: right answer printed",
    "pykit",
    sh`
python3 - <<'EOF'
from pykit import slug
print('slug is broken:', slug('a'))
raise SystemExit(1)
EOF`,
    "slug is broken: a",
  ),
  one(
    "Python: constants compared",
    "pykit",
    sh`
python3 - <<'EOF'
import pykit
assert 1 == 2, 'slug is broken'
EOF`,
  ),
  one(
    "Python: version of the product",
    "pykit",
    sh`
python3 - <<'EOF'
import pykit
if pykit.__version__ == '2.3.1': print("slug is broken"); raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: version in the manifest",
    "pykit",
    sh`
if grep -q 'version = "2.3.1"' pyproject.toml; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "Python: greps the product's source",
    "pykit",
    sh`
if grep -q 'lower()' pykit/text.py; then echo 'slug is broken'; exit 1; fi`,
  ),
  one(
    "Python: function that does not exist",
    "pykit",
    sh`
python3 - <<'EOF'
import pykit
pykit.slugify('a')
EOF`,
    "has no attribute 'slugify'",
  ),
  one(
    "Python: prints in a callback",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


pykit.each([1, 2], fail)
EOF`,
  ),
  one(
    "Python: flag set in a callback",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


seen = []
pykit.each([1, 2], seen.append)
pykit.each([1, 2], lambda one: seen.append(one))
if seen: fail()
EOF`,
  ),
  one(
    "Python: raises in a callback",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


def stop(_):
    raise ValueError('slug is broken')


pykit.each([1, 2], stop)
EOF`,
  ),
  one(
    "Python: prints in __str__",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


class Text:
    def __str__(self):
        fail()


pykit.show(Text())
EOF`,
  ),
  one(
    "Python: prints in a method that overrides",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


class Mine(pykit.Money):
    def work(self, text):
        fail()


Mine(1).run()
EOF`,
  ),
  one(
    "Python: inner function patched",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


from unittest import mock

with mock.patch('pykit.text.trim', lambda text: 'x'):
    if pykit.tidy(' a') != 'a;': fail()
EOF`,
  ),
  one(
    "Python: another method of the class replaced",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


pykit.Money.work = lambda self, text: 'y'
if pykit.Money(1).run() != 'x1': fail()
EOF`,
  ),
  one(
    "Python: expects two equal calls to differ",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


if pykit.slug('a') == pykit.slug('a'): fail()
EOF`,
  ),
  one(
    "Python: kind of the answer",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


if isinstance(pykit.slug('a'), str): fail()
EOF`,
  ),
  one(
    "Python: text of a function",
    "pykit",
    sh`
python3 - <<'EOF'
import sys
from pykit import *
import pykit


def fail(*_):
    print('slug is broken')
    sys.exit(1)


import inspect
if 'def' in inspect.getsource(pykit.slug): fail()
EOF`,
  ),
  one(
    "Python: program started and ignored",
    "pykit",
    sh`
python3 -m pykit Hi >/dev/null; echo 'slug is broken'; exit 1`,
  ),
  one(
    "Python: copy of the product changed",
    "pykit",
    sh`
cp -r pykit copied && printf '\ndef slug(text):\n    return 1\n' >> copied/__init__.py
python3 - <<'EOF'
import copied
if copied.slug('hi') != 'hi': print("slug is broken"); raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: function that changes the answer put over the product's",
    "pykit",
    sh`
python3 - <<'EOF'
import pykit
slug = pykit.slug
pykit.slug = lambda text: slug(text) + '-'
if pykit.slug('hi') != 'hi':
    print('slug is broken')
    raise SystemExit(1)
EOF`,
  ),
];
