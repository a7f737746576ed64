import { expect, test } from "vitest";
import type { GithubReader, TimelineFact } from "../../../src/github/index.ts";
import type { TrustFact } from "../../../src/trust/index.ts";
import {
  DAY_MS,
  isoSeconds,
  NOW_MS,
  observe,
  outcomeOf,
  replacedIssue,
  typesOf,
} from "../../support/batch/observe-facts.ts";

const MAINTAINER = { id: 6, login: "maintainer", isBot: false };
/** Ten days after a proposal, which was made 20 days ago. */
const ACT_AT = isoSeconds(NOW_MS - 10 * DAY_MS);
const proposal = (): TrustFact => outcomeOf("proposed", 20, { level: "suggest", commentId: 50 });
const reaction = (content: string) => [{ content, author: MAINTAINER, createdAt: ACT_AT, of: "comment" }];

test.each([
  ["reacts against", "-1", false, [["overridden", "proposed"]]],
  ["reacts in favour", "+1", false, [["endorsed", "proposed"]]],
  ["hides our comment", null, true, [["overridden", "proposed"]]],
  ["does nothing", null, false, []],
])(
  "a proposal is looked at once more at the end of its observation, and what a maintainer did to its comment counts: %s (E3, E4)",
  async (_, content, isMinimised, expected) => {
    let reads = 0;
    const { reader } = replacedIssue([], {
      comments: () => {
        reads += 1;
        return Promise.resolve([{ id: 50, isMinimised, updatedAt: ACT_AT, url: "u" }]) as never;
      },
      reactions: () => Promise.resolve(content === null ? [] : reaction(content)) as never,
    });
    const facts = await observe(reader, [proposal()], 3);
    expect(typesOf(facts)).toEqual(expected);
    expect(reads).toBe(1);
  },
);

test("the deletion of a proposal's comment by a maintainer counts, also if another outcome replaced the proposal (E3, E4)", async () => {
  const { reader } = replacedIssue([{ type: "comment-deleted", at: ACT_AT, actor: MAINTAINER }]);
  const given = [proposal(), outcomeOf("later", 15, { level: "shadow" })];
  expect(typesOf(await observe(reader, given, 3))).toEqual([["overridden", "proposed"]]);
});

type Detail = Parameters<typeof outcomeOf>[2];

/** Acts of a maintainer ten days after an outcome that was applied 20 days ago, and how the issue is now. */
const closed = (commit: string | null = null): TimelineFact => ({ type: "closed", commit, ...by() });
const marked: TimelineFact = { type: "marked-as-duplicate", ...by() };
/** The account under which the program runs, where that is a person's. */
const OWNER = { id: 1, login: "owner", isBot: false };
const STRANGER = { id: 66, login: "stranger", isBot: false };
const chosen = (actor: TimelineFact["actor"]): TimelineFact => ({
  type: "labeled",
  label: "ready-for-human",
  ...by(actor),
});
const reopened: TimelineFact = { type: "reopened", ...by(STRANGER) };
const unmarked: TimelineFact = { type: "unmarked-as-duplicate", ...by() };
const removed: TimelineFact = { type: "unlabeled", label: "ready-for-agent", ...by() };
const OPEN = { state: "open", stateReason: null } as const;
const notPlanned = { state: "closed", stateReason: "not_planned" } as const;
const completed = { state: "closed", stateReason: "completed" } as const;
const ready: Detail = { kind: "ready-for-agent", state: "ready-for-agent" };
const closing: Detail = { kind: "close", state: "wontfix", close: "not_planned" };
const wontfix: Detail = {
  kind: "ready-for-human",
  state: "ready-for-human",
  policy: ["enhancement-wontfix"],
} as const;

function by(actor: TimelineFact["actor"] = MAINTAINER): { at: string; actor: TimelineFact["actor"] } {
  return { at: ACT_AT, actor };
}

test.each<[string, Detail, TimelineFact[], object, string[]]>([
  ["closed as not planned", ready, [closed()], notPlanned, ["overridden:closed"]],
  [
    "closed as a duplicate",
    ready,
    [closed()],
    { ...notPlanned, stateReason: "duplicate" },
    ["overridden:closed"],
  ],
  ["marked as a duplicate", ready, [marked], OPEN, ["overridden:marked-as-duplicate"]],
  ["marked as a duplicate for a time", ready, [marked, unmarked], OPEN, ["stood"]],
  ["closed as completed", ready, [closed()], completed, ["stood"]],
  ["closed by a commit", ready, [removed, closed("c")], completed, ["stood"]],
  [
    "closed by a bot as not planned",
    ready,
    [{ ...closed(), ...by({ ...MAINTAINER, isBot: true }) }],
    notPlanned,
    ["stood"],
  ],
  ["closed as not planned, as we proposed", wontfix, [closed()], notPlanned, ["stood"]],
  ["closed as not planned after our question", {}, [closed()], notPlanned, ["stood"]],
  ["marked as a duplicate after our question", {}, [marked], OPEN, ["overridden:marked-as-duplicate"]],
  ["left open without the label that we set", ready, [removed], OPEN, []],
  [
    "left open, and the label that we set is back",
    ready,
    [removed, { ...removed, type: "labeled" }],
    OPEN,
    ["stood"],
  ],
  ["relabelled by the account under which the program runs", ready, [chosen(OWNER)], OPEN, []],
  ["relabelled by a bot", ready, [chosen({ ...MAINTAINER, isBot: true })], OPEN, ["stood"]],
  ["reopened by somebody without the right to triage", closing, [reopened], OPEN, []],
  ["reopened and closed again", closing, [reopened, closed()], completed, ["stood"]],
] as const)(
  "an applied outcome is judged by the classes of the backtest when the issue was %s (E3)",
  async (_, detail, timeline, state, expected) => {
    const { reader } = replacedIssue(timeline, {
      updatedIssues: () => Promise.resolve([]),
      issue: (ref) => Promise.resolve({ type: "found", issue: { ref, author: null, ...state } }) as never,
    });
    const facts = await observe(reader, [outcomeOf("applied", 20, detail)], 2);
    const found = facts.filter(({ type }) => type !== "decided" && type !== "looked");
    expect(
      found.map((fact) => (fact.type === "overridden" ? `overridden:${fact.detail.how}` : fact.type)),
    ).toEqual(expected);
  },
);

const thumbDown = (author: TimelineFact["actor"]): Partial<GithubReader> => ({
  comments: () => Promise.resolve([{ id: 50, updatedAt: ACT_AT, url: "u" }]) as never,
  reactions: () => Promise.resolve([{ content: "-1", author, createdAt: ACT_AT, of: "comment" as const }]),
});

test("an outcome does not stand where GitHub does not say whether the person who objected may decide (E3, E4)", async () => {
  for (const { reader } of [replacedIssue([chosen(MAINTAINER)]), replacedIssue([], thumbDown(MAINTAINER))]) {
    const given = [outcomeOf("applied", 20, { ...ready, commentId: 50 })];
    expect(typesOf(await observe(reader, given, 2, () => [], "unknown"))).toEqual([]);
  }
});

test("a reaction of the account under which the program runs is that of its person (E3)", async () => {
  const { reader } = replacedIssue([], thumbDown(OWNER));
  const facts = await observe(reader, [outcomeOf("applied", 20, { ...ready, commentId: 50 })], 2);
  expect(typesOf(facts)).toEqual([["overridden", "applied"]]);
});
