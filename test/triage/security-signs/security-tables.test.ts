import { describe, expect, test } from "vitest";
import { looksLikeSecurityReport } from "../../../src/triage/index.ts";
import { concepts } from "../../../src/triage/security-signs/concepts.ts";
import { foreignLanguageSigns } from "../../../src/triage/security-signs/foreign-language-signs.ts";
import { plainSigns } from "../../../src/triage/security-signs/plain-signs.ts";
import { readSecurityTables, type ReportKind, type TableReport } from "../../support/security-tables.ts";

const reports = readSecurityTables();

/**
 * For everyday reports: the maximum share that may be flagged as vulnerability reports. For the other kinds: the minimum share
 * that must be flagged.
 */
const goals: [ReportKind, number][] = [
  ["everyday", 0.03],
  ["explicit", 1],
  ["proof", 0.75],
  ["plain", 0.55],
  ["language", 0.75],
  ["private", 0.75],
  ["form", 1],
];

describe.each(["tuned", "kept-back"] as const)("the text rule alone on the half that is %s (S16)", (half) => {
  test.each(goals)("flags reports of the kind %s at the rate of its goal (%d)", (kind, goal) => {
    const rate = rateOf(half, kind);
    if (kind === "everyday") expect(rate).toBeLessThanOrEqual(goal);
    else expect(rate).toBeGreaterThanOrEqual(goal);
  });
});

/** The goals without the kinds that these tables do not contain. */
const laterGoals = goals.filter(([kind]) => kind !== "private" && kind !== "form");

describe.each([
  ["second-look", laterGoals],
  ["third-look", laterGoals.filter(([kind]) => kind === "everyday" || kind === "plain")],
  ["fourth-look", laterGoals.filter(([kind]) => kind !== "explicit")],
] as const)("the text rule alone on the tables of the %s (S16)", (half, ofHalf) => {
  test.each(ofHalf)("flags reports of the kind %s at the rate of its goal (%d)", (kind, goal) => {
    const rate = rateOf(half, kind);
    if (kind === "everyday") expect(rate).toBeLessThanOrEqual(goal);
    else expect(rate).toBeGreaterThanOrEqual(goal);
  });
});

test.each([
  ["words", "the user may read a thing "],
  ["one letter", "a"],
  ["one word", "changing "],
  ["concepts", "other users of another the my all "],
  ["sentences", "x. "],
  ["lines", "change the id\n"],
  ["ideographs", "密码在没有"],
])(
  "the longest body that GitHub accepts, full of %s, is checked within a time limit (S16)",
  (_, piece) => {
    // Exponential or cubic patterns take minutes here. Linear ones take less than a second on an idle machine.
    const body = piece.repeat(Math.ceil(65_536 / piece.length)).slice(0, 65_536);
    expect(looksLikeSecurityReport({ title: "It breaks", body, labels: [] }, [])).toBe(false);
  },
  30_000,
);

test("the tables hold at least 150 everyday reports and 100 vulnerability reports (S16)", () => {
  const everyday = reports.filter(({ kind }) => kind === "everyday");
  expect(everyday.length).toBeGreaterThanOrEqual(150);
  expect(reports.length - everyday.length).toBeGreaterThanOrEqual(100);
});

test.each(["security", "type: Security", "area/vulnerability", "seguridad", "漏洞"])(
  "the label %s makes any report a vulnerability report (S16)",
  (label) => {
    expect(looksLikeSecurityReport({ title: "It breaks", body: "", labels: ["bug", label] }, [])).toBe(true);
  },
);

test("a label that contains the word only within another word does not count (S16)", () => {
  expect(looksLikeSecurityReport({ title: "It breaks", body: "", labels: ["insecurity-ui"] }, [])).toBe(
    false,
  );
});

test.each([
  "### Is this a security issue?\n\nNo",
  "- [ ] Security issue\n- [x] Bug",
  "- [x] I have read the security policy",
  "- [x] This is not a security vulnerability",
  "<!-- If this is a security vulnerability, write to us -->\nIt throws.",
  "This is no security problem, it only looks wrong.",
])("text of an issue form itself is not a sign: %j (S16)", (body) => {
  expect(looksLikeSecurityReport({ title: "It breaks", body, labels: [] }, [])).toBe(false);
});

test("a sign in any comment of the reporter counts (S16)", () => {
  const issue = { title: "It breaks", body: "It throws.", labels: [] };
  expect(looksLikeSecurityReport(issue, ["More.", "I can see other users' invoices."])).toBe(true);
});

function rateOf(half: TableReport["half"], kind: ReportKind): number {
  const ofKind = reports.filter((report) => report.kind === kind && report.half === half);
  return ofKind.filter(isFlagged).length / ofKind.length;
}

function isFlagged(report: TableReport): boolean {
  return looksLikeSecurityReport(report, []);
}

test.each(["plain", "language"] as const)(
  "upper case changes no verdict on reports of the kind %s (S16)",
  (kind) => {
    const ofKind = reports.filter((report) => report.kind === kind);
    expect(ofKind.length).toBeGreaterThan(50);
    const differing = ofKind.filter((report) => {
      const inCapitals = { ...report, title: report.title.toUpperCase(), body: report.body.toUpperCase() };
      return isFlagged(inCapitals) !== isFlagged(report);
    });
    expect(differing.map(({ title }) => title)).toEqual([]);
  },
);

test("patterns for sentences have no upper-case letter and no flag i, so that they match lower-case sentences (S16)", () => {
  const signs = [plainSigns, foreignLanguageSigns].flatMap((table) => Object.values(table).flat());
  const patterns = [...signs, ...Object.values(concepts).flat()];
  const wrong = patterns.filter(
    ({ source, flags }) => flags.includes("i") || /\p{Lu}/u.test(source.replaceAll(/\\p\{\w+\}|\\./g, "")),
  );
  expect(wrong.map(({ source }) => source)).toEqual([]);
});
