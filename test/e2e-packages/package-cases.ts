import type { RepositoryName } from "../../src/github/index.ts";

/** A published package, the report its users would file, and what a Triage Batch has to make of it. */
export interface PackageCase {
  name: string;
  version: string;
  /** Older versions, ascending; each becomes a commit and a tag before it. */
  earlier: readonly string[];
  /** When that version was published: the date of the generated commit. */
  published: string;
  repo: RepositoryName;
  /** What it needs from the registry to run: packed beforehand, because a Triage Run here has no network. */
  dependencies: readonly string[];
  title: string;
  body: string;
  expectation: CaseExpectation;
}

export type CaseExpectation =
  /** `release`: the version that has the fix. */
  | { outcome: "ready-for-human"; policy: "already-fixed"; release: string }
  | { outcome: "ready-for-agent"; policy: "reproduction-verified" }
  /** `printed`: how the comment tells what the reporter's code printed. */
  | { outcome: "needs-info"; printed: string };

const CODE_FENCE = "```";

export const packageCases: readonly PackageCase[] = [
  {
    name: "minimist",
    version: "1.2.5",
    earlier: ["0.2.0", "1.1.0", "1.2.0"],
    published: "2020-03-12T22:50:00Z",
    repo: "minimistjs/minimist",
    dependencies: [],
    ...minimistReport("minimist 1.2.5, Node 20, Linux. We have it pinned in the lock file."),
    expectation: { outcome: "ready-for-agent", policy: "reproduction-verified" },
  },
  {
    name: "json5",
    version: "2.2.1",
    earlier: ["1.0.1", "2.1.3", "2.2.0"],
    published: "2022-03-21T12:00:00Z",
    repo: "json5/json5",
    dependencies: [],
    title: "JSON5.parse: a `__proto__` key changes the prototype of the result",
    body: `Our users edit their settings as JSON5. When a file has a key named \`__proto__\`, its value becomes the
prototype of the parsed object instead of an ordinary property. \`Object.keys\` does not list the key, but everything
below it can be read from the object. \`JSON.parse\` keeps it as a property of its own.

${CODE_FENCE}js
const JSON5 = require("json5");

const user = JSON5.parse('{ name: "jo", "__proto__": { isAdmin: true } }');
console.log("keys:", Object.keys(user).join(), "isAdmin:", user.isAdmin);
${CODE_FENCE}

**Expected:** \`isAdmin: undefined\`, as with \`JSON.parse\`
**Actual:** \`isAdmin: true\`

json5 2.2.1 from npm, Node 18 and 20.
`,
    expectation: { outcome: "ready-for-agent", policy: "reproduction-verified" },
  },
  {
    name: "semver",
    version: "7.5.1",
    earlier: ["7.3.8", "7.5.0"],
    published: "2023-05-12T17:00:00Z",
    repo: "npm/node-semver",
    dependencies: ["lru-cache@6.0.0", "yallist@4.0.0"],
    title: "Range takes seconds for a long string of spaces",
    body: `We check version ranges that people type into a form. Somebody pasted one with a lot of spaces between the two
comparators, and the server stood still: \`new Range(…)\` took about two seconds for 25,000 spaces on my laptop. Twice the
spaces take four times as long, so the time seems to grow with the square of the length.

### Steps to reproduce

${CODE_FENCE}js
const assert = require("node:assert");
const { Range } = require("semver");

const text = ">=1.2.3" + " ".repeat(25_000) + "<2.0.0";
const startedAt = Date.now();
new Range(text);
const elapsed = Date.now() - startedAt;

console.log("range of", text.length, "characters");
assert.ok(elapsed < 100, "parsing the range took too long");
${CODE_FENCE}

### Expected

A few milliseconds: the script ends without an error.

### Actual

It fails with \`AssertionError [ERR_ASSERTION]: parsing the range took too long\`.

semver 7.5.1, Node 20.11, Debian 12.
`,
    expectation: { outcome: "ready-for-agent", policy: "reproduction-verified" },
  },
  {
    name: "minimist",
    version: "1.2.8",
    earlier: [],
    published: "2023-02-09T20:00:00Z",
    repo: "minimistjs/minimist",
    dependencies: [],
    ...minimistReport("Should be minimist 1.2.8, that is what package.json asks for. Node 20, Linux."),
    expectation: { outcome: "needs-info", printed: "your code printed `undefined`" },
  },
  {
    name: "minimist",
    version: "1.2.7",
    earlier: ["1.2.0", "1.2.5", "1.2.6"],
    published: "2022-10-10T20:00:00Z",
    repo: "minimistjs/minimist",
    dependencies: [],
    ...minimistReport("minimist 1.2.5, Node 20, Linux."),
    expectation: { outcome: "ready-for-human", policy: "already-fixed", release: "1.2.6" },
  },
];

/** `name@version` */
export function specOf({ name, version }: PackageCase): string {
  return `${name}@${version}`;
}

function minimistReport(environment: string): Pick<PackageCase, "title" | "body"> {
  return {
    title: "A key through `_.constructor.constructor.prototype` reaches every function",
    body: `Our build tool passes its command line through minimist. A dotted key that goes through \`_.constructor\` does
not stay inside the returned object: it writes to \`Function.prototype\`, and from then on every function of the process
has the property. The same with \`__proto__\` was fixed a while ago, this way around it was not.

${CODE_FENCE}js
const minimist = require("minimist");

minimist(["--_.constructor.constructor.prototype.color", "from-argv"]);
console.log((function () {}).color);
${CODE_FENCE}

**Expected:** \`undefined\`, nothing outside the returned object changes
**Actual:** \`from-argv\`

${environment}
`,
  };
}
