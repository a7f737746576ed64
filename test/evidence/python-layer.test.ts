import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa, type ResultPromise } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adapterPrograms } from "../../src/evidence/controls/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ADAPTER = join(import.meta.dirname, "../../templates/controls/python.py");
/** One process that prepares the products of all tests. Requests and answers are lines of JSON. */
let preparing: ResultPromise<{ input?: never }>;
beforeAll(async () => {
  const loop = "for line in sys.stdin:\n    prepare(json.loads(line))\n    print(flush=True)\n";
  preparing = execa("python3", ["-c", `${await readFile(ADAPTER, "utf8")}\n${loop}`]);
});
afterAll(async () => {
  preparing.stdin.end();
  await preparing;
});

async function prepare(request: object): Promise<string> {
  const answered = once(preparing.stdout, "data") as Promise<[Buffer]>;
  preparing.stdin.write(`${JSON.stringify(request)}\n`);
  return (await answered)[0].toString();
}

interface Layering {
  files?: Readonly<Record<string, string>>;
  /** A program that prints the product's answers. */
  script: string;
  candidate?: {
    candidate: string;
    isLeaf: boolean;
    only?: string;
    spread?: string;
    data?: string[];
    isWanted?: boolean;
  };
}

/** Runs the script on the real, the renumbered and the deaf product. */
async function layered({ files = PRODUCT, script, candidate }: Layering) {
  await using directory = await temporaryDirectory();
  const answers = join(directory.path, "answers");
  let remembered = "";
  const runOn = async (kind: "real" | "renumbered" | "listening" | "deaf"): Promise<string> => {
    const root = join(directory.path, kind);
    for (const [path, text] of Object.entries({ ...files, "script.py": script })) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    const request = {
      root,
      files: Object.keys(files).filter((file) => file.endsWith(".py")),
      manifests: ["pyproject.toml"],
      answers,
      programs: [],
      token: "00112233445566778899aabbccddeeff",
      version: "300.0.1",
      isDeaf: kind === "deaf",
      isListening: kind === "listening",
      candidate: candidate ?? null,
      remembered,
    };
    if (kind !== "real") expect(await prepare(request)).toMatch(/\{"layered": [1-9]/);
    const { all, exitCode } = await execa("python3", ["script.py"], { cwd: root, reject: false, all: true });
    if (kind === "listening") remembered = await readFile(answers, "utf8").catch(() => "");
    return exitCode === 0 ? all : `${all.split("\n").at(-1)} exit ${exitCode}`;
  };
  const [real, renumbered] = [await runOn("real"), await runOn("renumbered")];
  await runOn("listening");
  return { real, renumbered, deaf: await runOn("deaf") };
}

const PRODUCT = {
  "pyproject.toml": '[project]\nname = "product"\nversion = "2.3.1"\n',
  "product/__init__.py": `"""Small tools."""
from __future__ import annotations
from .money import LIMIT, Money
from .text import add, each, load, numbers, show, tidy
__version__ = "2.3.1"
`,
  "product/text.py": `from .trim import trim
def add(a, b):
    return a + b
def tidy(text):
    return trim(text) + ";"
def each(items, visit):
    for one in items[1:]:
        visit(one)
def show(value):
    return str(value)
async def load(name):
    return {"size": len(name)}
def numbers(to):
    yield from range(to)
`,
  "product/trim.py": "def trim(text):\n    return text.strip()\n",
  "product/money.py": `LIMIT = 10
class Money:
    def __init__(self, cents):
        self.cents = cents
    def plus(self, other):
        return Money(self.cents + other.cents)
    @property
    def euros(self):
        return self.cents // 100
    def __str__(self):
        return "%d cents" % self.work(self.cents)
    def work(self, cents):
        return cents
`,
  "product/__main__.py": "import sys\nif __name__ == '__main__':\n    print('worked', sys.argv[1])\n",
};

test.each([
  ["a function", "from product import add\nprint(add(1, 2))", "3", "4"],
  ["a method", "from product import Money\nprint(Money(1).plus(Money(2)).cents)", "3", "4"],
  ["a property", "import product\nprint(product.Money(500).euros)", "5", "6"],
  ["__str__", "import product\nprint(product.Money(5))", "5 cents", "6 dfout"],
  ["a coroutine", "import asyncio, product\nprint(asyncio.run(product.load('abc'))['size'])", "3", "4"],
  ["a generator", "import product\nprint(list(product.numbers(2)))", "[0, 1]", "[]"],
  ["a value of a module", "from product import LIMIT\nprint(LIMIT)", "10", "11"],
  [
    "a module that is started",
    "import subprocess, sys\nprint(subprocess.run([sys.executable, '-m', 'product', 'x'], capture_output=True, text=True).stdout.strip())",
    "worked x",
    "",
  ],
  [
    "a function that it runs",
    "import product\nproduct.each([1, 2], lambda one: print('ran', one))",
    "ran 2",
    "ran 3",
  ],
  [
    "__str__ of an object of the script",
    "import product\nclass Text:\n    def __str__(self):\n        print('ran')\n        return ''\nproduct.show(Text())",
    "ran",
    "ran",
  ],
])(
  "the Python layer leaves the result of %s unchanged, and changes it if it is deaf (V2)",
  async (_, script, said, saidDeaf) => {
    expect(await layered({ script })).toEqual({ real: said, renumbered: said, deaf: saidDeaf });
  },
);

test("a deaf Python product returns the candidate, as the whole answer or as its innermost values (V2)", async () => {
  const script = "import asyncio, product\nprint(product.add(1, 2), asyncio.run(product.load('abc')))";
  const whole = await layered({
    script,
    candidate: { candidate: "[7, True]", isLeaf: false, isWanted: true },
  });
  expect(whole.deaf).toBe("[7, True] [7, True]");
  const inner = await layered({ script, candidate: { candidate: "7", isLeaf: true } });
  expect(inner.deaf).toBe("7 {'size': 7}");
  const foreign = await layered({ script, candidate: { candidate: "None", isLeaf: false } });
  expect(foreign.deaf).not.toContain("None");
});

test.each([
  ["copy", "{'a': [1]} False"],
  ["merged", "{'a': [1], 'b': 2} False"],
  ["json", '{"a": [1]} False'],
  ["source", "{'a': [1]} False"],
])(
  "a deaf Python product makes its answer from its arguments if the candidate is `%s` (V2)",
  async (candidate, said) => {
    const script =
      "import product\none = {'a': [1]}\ngot = product.join(one, {'b': 2})\nprint(got, got is one)";
    const files = { "product.py": "def join(one, two):\n    return None\n" };
    expect((await layered({ files, script, candidate: { candidate, isLeaf: false } })).deaf).toBe(said);
  },
);

test("a renumbered Python product has another version number and another source text (V2)", async () => {
  const script =
    "import product\nprint(product.__version__, 'version = \"2.3.1\"' in open('pyproject.toml').read())";
  expect(await layered({ script })).toMatchObject({ real: "2.3.1 True", renumbered: "300.0.1 False" });
});

test.each([
  [
    "a function of an inner module",
    "from unittest import mock\nmock.patch('product.text.trim', lambda text: 'x').start()\nprint(product.tidy(' a '))",
  ],
  ["a method of a class", "product.Money.work = lambda self, cents: 7\nprint(str(product.Money(5)) + ';')"],
])("a Python product does not see the script's replacement of %s (V2)", async (_, lines) => {
  const { real, renumbered } = await layered({ script: `import product\n${lines}` });
  expect(["x;", "7 cents;"]).toContain(real);
  expect(["a;", "5 cents;"]).toContain(renumbered);
});

test.each<[string, { candidate: string; only: string; data?: string[] }, string]>([
  [
    "those beside whose arguments the script has a datum",
    { candidate: "after", only: "beside", data: ["'a'", "'A!'"] },
    "A! B {'x': 1, 'y': 2}",
  ],
  ["the last one", { candidate: "'Z'", only: "last" }, "A B Z"],
  ["the first one", { candidate: "'Z'", only: "first" }, "Z B {'x': 1, 'y': 2}"],
  [
    "those whose answer the script does not name",
    { candidate: "'Z'", only: "unnamed", data: ["'A'"] },
    "A Z Z",
  ],
  [
    "every one, but only in the properties that it has",
    { candidate: "{ 'x': 7 }", only: "fields" },
    "A B {'x': 7, 'y': 2}",
  ],
  [
    "every one, but with as many elements",
    { candidate: "3", only: "sized" },
    "A B {'x': 1, 'y': 2, 'q2': 2}",
  ],
  ["none, where the answer is a change", { candidate: "sorted", only: "changed" }, "A B {'x': 1, 'y': 2}"],
  [
    "none, where the answer is that of the call before",
    { candidate: "earlier", only: "last" },
    "A B {'x': 1, 'y': 2}",
  ],
  ["none, where it waits for others", { candidate: "in turn", only: "turns" }, "A B {'x': 1, 'y': 2}"],
])("only some calls of a deaf Python product return the candidate: %s (V2)", async (_, candidate, said) => {
  const files = {
    "pkg.py": "def upper(text):\n    return text.upper()\ndef both():\n    return {'x': 1, 'y': 2}\n",
  };
  const script = "import pkg\nprint(pkg.upper('a'), pkg.upper('b'), pkg.both())";
  expect((await layered({ files, script, candidate: { ...candidate, isLeaf: false } })).deaf).toBe(said);
});

test("a deaf Python product searches for the datum beside those arguments in which the calls differ (V2)", async () => {
  const said = await layered({
    files: { "pkg.py": "def keep(text, times):\n    return text * times\n" },
    script: "import pkg\nprint(pkg.keep('a', 1), pkg.keep('b', 1))",
    candidate: {
      candidate: "after",
      only: "beside",
      isLeaf: false,
      data: ["1", "'X'", "'a'", "'A!'", "'b'", "'B!'"],
    },
  });
  expect(said.deaf).toBe("A! B!");
});

test("a script calls its own replacement of a function of the Python product only if the product is deaf (V2)", async () => {
  const script = "import pkg\nadd = pkg.add\npkg.add = lambda *all: -add(*all)\nprint(pkg.add(1, 2))";
  const { real, renumbered, deaf } = await layered({
    files: { "pkg.py": "def add(a, b):\n    return a + b\n" },
    script,
  });
  expect([real, renumbered, deaf]).toEqual(["-3", "3", "-4"]);
});

test("a deaf Python product gives the recorded calls one element each, and calls the last function again with the rest (V2)", async () => {
  const script =
    "import pkg\nl = []\npkg.each(lambda n: l.append(('a', n)), lambda n: l.append(('b', n)))\nprint(l)";
  const seen = await layered({
    files: { "pkg.py": "def each(*all):\n    for one in all:\n        one(0)\n" },
    script,
    candidate: { candidate: "[1, 2, 3]", isLeaf: false, spread: "calls" },
  });
  expect(seen).toMatchObject({ renumbered: "[('a', 0), ('b', 0)]", deaf: "[('a', 1), ('b', 2), ('b', 3)]" });
});

test.each([
  ["depths of the same values", "[1, [2, 3]]", "[[1, 2], 3]"],
  ["names of the same values", "{'a': 1}", "{'b': 1}"],
  ["types of the same text", "'1'", "1"],
  ["members of a set of texts", "{'a', 'b', 'c', 'd'}", "{'a', 'b', 'c', 'e'}"],
])("calls of a Python product with different %s are different calls (V2)", async (_, first, last) => {
  const seen = await layered({
    files: { "pkg.py": "def kind(value):\n    return 'A'\n" },
    script: `import pkg\nprint(pkg.kind(${first}), pkg.kind(${last}))`,
    candidate: { candidate: "'Z'", isLeaf: false, only: "last" },
  });
  expect(seen.deaf).toBe("A Z");
});

test("the layer runs no code of the script for the members of a set that a call gets (V2)", async () => {
  const seen = await layered({
    files: { "pkg.py": "def size(value):\n    return len(value)\n" },
    script:
      "import pkg\nclass Word:\n    def __repr__(self):\n        print('ran')\n        return 'w'\nprint(pkg.size({Word(), 'x'}))",
  });
  expect(seen).toEqual({ real: "2", renumbered: "2", deaf: "3" });
});

test("a module that cannot be parsed stays unchanged, and the others get their layer (V2)", async () => {
  const files = { ...PRODUCT, "product/old.py": "print 'of Python 2'\n" };
  expect(await layered({ files, script: "from product import add\nprint(add(1, 2))" })).toMatchObject({
    deaf: "4",
  });
});

test("the adapter loads no module of the product, even one named like a module of Python, and no setting of the run (V2)", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  await writeFile(join(root, "ast.py"), "raise SystemExit(7)\n");
  const request = {
    root,
    files: ["ast.py"],
    manifests: [],
    programs: [],
    answers: join(root, "answers"),
    token: "00",
    version: "2",
    isDeaf: true,
    isListening: false,
    candidate: null,
    remembered: "",
  };
  const adapters = { javascript: "", python: await readFile(ADAPTER, "utf8") };
  const [adapter = expect.unreachable()] = adapterPrograms(adapters, request, ["ast.py"]);
  const run = execa({ cwd: root, env: { PYTHONPATH: root }, input: adapter.program, shell: true });
  expect((await run(`${adapter.interpreter} -`)).stdout).toBe('{"layered": 1}');
});
