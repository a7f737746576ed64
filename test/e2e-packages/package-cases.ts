import type { RepositoryName } from "../../src/github/index.ts";

/** A published package, a report that its users would file, and the outcome that a Triage Batch has to reach. */
export interface PackageCase {
  name: string;
  version: string;
  /** Older versions, ascending; each becomes a commit and a tag before `version`. */
  earlier: readonly string[];
  /** When `version` was published: the date of the generated commit. */
  published: string;
  repo: RepositoryName;
  /** Packages that this one needs from the registry. They are packed beforehand, because a Triage Run here has no network. */
  dependencies: readonly string[];
  title: string;
  body: string;
  expectation: CaseExpectation;
}

export type CaseExpectation =
  /** `release`: the version that contains the fix. */
  | { outcome: "ready-for-human"; policy: "already-fixed"; firstBad: string; release: string }
  /** `firstBad`: the oldest version with the bug, as the grade in the summary names it. */
  | { outcome: "ready-for-agent"; policy: "reproduction-verified"; firstBad: string }
  /** `printed`: how the comment reports the output of the reporter's code. */
  | { outcome: "needs-info"; printed: string };

const CODE_FENCE = "```";

export const packageCases: readonly PackageCase[] = [
  {
    name: "camelcase",
    version: "6.3.0",
    earlier: ["5.0.0", "5.2.0", "5.3.0", "5.3.1", "6.0.0"],
    published: "2021-11-28T12:00:00Z",
    repo: "sindresorhus/camelcase",
    dependencies: [],
    title: "A letter after a digit becomes upper case since the last minor release",
    body: `We generate field names from the names of database columns. After an update the name of one column changed, and
with it the JSON that our clients read: the \`b\` of \`b2b\` became a capital, although no separator stands before it.

${CODE_FENCE}js
const camelCase = require("camelcase");

console.log(camelCase("b2b_registration_request"));
${CODE_FENCE}

**Expected:** \`b2bRegistrationRequest\`
**Actual:** \`b2BRegistrationRequest\`

camelcase 6.3.0, Node 20, Linux.
`,
    expectation: { outcome: "ready-for-agent", policy: "reproduction-verified", firstBad: "5.3.1" },
  },
  {
    name: "escape-string-regexp",
    version: "2.0.0",
    earlier: ["1.0.3", "1.0.5"],
    published: "2019-04-17T12:00:00Z",
    repo: "sindresorhus/escape-string-regexp",
    dependencies: [],
    ...escapeReport("escape-string-regexp 2.0.0, Node 20, macOS."),
    expectation: { outcome: "ready-for-agent", policy: "reproduction-verified", firstBad: "2.0.0" },
  },
  {
    name: "semver",
    version: "7.5.1",
    earlier: ["7.3.8", "7.5.0"],
    published: "2023-05-12T17:00:00Z",
    repo: "npm/node-semver",
    dependencies: ["lru-cache@6.0.0", "yallist@4.0.0"],
    title: "diff calls the step from a prerelease of 1.0.0 to 1.1.0 a minor one",
    body: `Our bot labels updates by what \`diff\` says. It merged the step from \`1.0.0-1\` to \`1.1.0\` by itself, as a minor
update. But 1.0.0 lies in between, so everything that it breaks is in there.

### Steps to reproduce

${CODE_FENCE}js
const semver = require("semver");

console.log("the update is", semver.diff("1.0.0-1", "1.1.0"));
${CODE_FENCE}

### Expected

\`the update is major\`

### Actual

\`the update is minor\`

semver 7.5.1, Node 20.11, Debian 12.
`,
    expectation: { outcome: "ready-for-agent", policy: "reproduction-verified", firstBad: "7.5.0" },
  },
  {
    name: "classnames",
    version: "2.3.2",
    earlier: [],
    published: "2022-09-13T12:00:00Z",
    repo: "JedWatson/classnames",
    dependencies: [],
    title: "An object with a toString method is printed as `toString`",
    body: `Our class names are small objects that know their text. Passed to classnames, such an object gives the name of its
method instead of its text.

${CODE_FENCE}js
const classNames = require("classnames");

console.log(classNames({ toString: () => "button-primary" }));
${CODE_FENCE}

**Expected:** \`button-primary\`
**Actual:** \`toString\`

Should be classnames 2.3.2, that is what package.json asks for. Node 20, Linux.
`,
    expectation: { outcome: "needs-info", printed: "your code printed `button-primary`" },
  },
  {
    name: "escape-string-regexp",
    version: "4.0.0",
    earlier: ["1.0.5", "2.0.0", "3.0.0"],
    published: "2020-04-20T12:00:00Z",
    repo: "sindresorhus/escape-string-regexp",
    dependencies: [],
    ...escapeReport("escape-string-regexp 2.0.0, Node 20, macOS."),
    expectation: { outcome: "ready-for-human", policy: "already-fixed", firstBad: "2.0.0", release: "3.0.0" },
  },
];

/** `name@version` */
export function specOf({ name, version }: PackageCase): string {
  return `${name}@${version}`;
}

function escapeReport(environment: string): Pick<PackageCase, "title" | "body"> {
  return {
    title: "Escaped text with a hyphen is no valid pattern with the `u` flag",
    body: `We build patterns from what people type and compile them with the \`u\` flag. When the text has a hyphen, the
constructor throws, because \`\\-\` is no escape that this flag permits outside of a character class.

${CODE_FENCE}js
const escapeStringRegexp = require("escape-string-regexp");

const pattern = new RegExp(escapeStringRegexp("well-known"), "u");
console.log("matches:", pattern.test("a well-known name"));
${CODE_FENCE}

**Expected:** \`matches: true\`
**Actual:** \`Invalid escape\`

${environment}
`,
  };
}
