import { genuine as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that call a Python product and test its answer. */
export const GENUINE_OF_PYTHON: readonly OwnScript[] = [
  one(
    "Python: assert",
    "pykit",
    1,
    "AssertionError: hi-",
    sh`
python3 - <<'EOF'
from pykit import slug
got = slug('Hi!')
assert got == 'hi', got
EOF`,
  ),
  one(
    "Python: constant text",
    "pykit",
    1,
    "trailing dash",
    sh`
python3 - <<'EOF'
from pykit import slug
if slug('Hi!') != 'hi':
    print('slug leaves a trailing dash')
    raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: shell compare",
    "pykit",
    4,
    "BUG: got hi-",
    sh`
got=$(python3 -c "import pykit; print(pykit.slug('Hi!'))")
[ "$got" = hi ] || { echo "BUG: got $got"; exit 4; }`,
  ),
  one(
    "Python: uncaught error",
    "pykit",
    1,
    "AttributeError",
    sh`
python3 - <<'EOF'
import pykit
pykit.slug(None)
EOF`,
  ),
  one(
    "Python: list",
    "pykit",
    1,
    "empty word",
    sh`
python3 - <<'EOF'
from pykit import words
if words('a  b') != ['a', 'b']:
    print('an empty word')
    raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: class",
    "pykit",
    1,
    "a cent too much",
    sh`
python3 - <<'EOF'
from pykit import Money
if Money(1).plus(Money(2)).cents != 3:
    print('a cent too much')
    raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: property",
    "pykit",
    1,
    "euros: 10",
    sh`
python3 - <<'EOF'
from pykit import Money
got = Money(100).euros
if got != 1:
    print('euros:', got)
    raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: str",
    "pykit",
    1,
    "1.5 EUR",
    sh`
python3 - <<'EOF'
from pykit import Money
assert str(Money(150)) == '1.50 EUR', str(Money(150))
EOF`,
  ),
  one(
    "Python: dataclass",
    "pykit",
    1,
    "not swapped",
    sh`
python3 - <<'EOF'
from pykit.money import Point
if Point(1, 2).swapped().x != 2:
    print('not swapped')
    raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: coroutine",
    "pykit",
    1,
    "size is 4",
    sh`
python3 - <<'EOF'
import asyncio
from pykit import load
size = asyncio.run(load('abc'))['size']
if size != 3:
    print('size is', size)
    raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: generator",
    "pykit",
    1,
    "ends too early",
    sh`
python3 - <<'EOF'
from pykit import numbers
if list(numbers(3)) != [1, 2, 3]:
    print('it ends too early')
    raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: callback",
    "pykit",
    1,
    "skips the last",
    sh`
python3 - <<'EOF'
from pykit import each
seen = []
each([1, 2], lambda one: seen.append(one))
if seen != [1, 2]:
    print('each skips the last')
    raise SystemExit(1)
EOF`,
  ),
  one(
    "Python: program",
    "pykit",
    1,
    "got: hi-",
    sh`
got=$(python3 -m pykit 'Hi!')
[ "$got" = hi ] || { echo "got: $got"; exit 1; }`,
  ),
  one(
    "Python: unittest",
    "pykit",
    1,
    "FAILED",
    sh`
cat > repro.py <<'EOF'
import unittest
from pykit import slug


class Repro(unittest.TestCase):
    def test_slug(self):
        self.assertEqual(slug('Hi!'), 'hi')


unittest.main()
EOF
python3 repro.py`,
  ),
  one(
    "Python: constant of a module",
    "pykit",
    1,
    "limit is 10",
    sh`
python3 - <<'EOF'
from pykit import LIMIT
if LIMIT != 100:
    print('limit is', LIMIT)
    raise SystemExit(1)
EOF`,
  ),
];
