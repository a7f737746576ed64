import { describe, expect, test } from "vitest";
import { findTriageNotes, type IssueComment, type TriageNotes } from "../../../src/github/index.ts";
import {
  type AskedQuestion,
  askedQuestions,
  buildIssueFile,
  establishedFacts,
  isAnswered,
  type Outcome,
  questionKey,
  renderComment,
} from "../../../src/triage/index.ts";
import {
  at,
  commentBy,
  dependabot,
  issueWith,
  maintainer,
  outcomeWith,
  ref,
  reporter,
  viewer,
  decideAlone,
} from "../facts.ts";

const issue = issueWith({ labels: ["needs-info", "bug"] });
const VERSION = "Which version does `npm ls widget` show?";
const INPUT = "Which input?\n\n- a list\n- a table";
const SHELL = "Which shell?";

/** Returns triage notes as they are published, so that their text has been made inert. */
function notesWith(change: Partial<Outcome>, time: string, keepRecord = true): TriageNotes {
  const outcome = outcomeWith({ outcome: "needs-info", reproduction: null, ...change });
  const decision = decideAlone({ issue, outcome, verification: { type: "not-attempted" } });
  const runId = `20260430T${time.replace(":", "")}00Z`;
  const whole = renderComment(decision, { issue, runId, markerKey: null, recording: null });
  const body = keepRecord ? whole : whole.replace(/ asked=\S+/, "");
  const trust = { viewerId: viewer.id, trustedAuthors: [], keys: [] };
  const { notes } = findTriageNotes({ comments: [commentBy(viewer, time, { body })], ref, trust });
  if (notes === null) throw new Error("the notes of this test are not valid");
  return notes;
}

interface Facts {
  history: TriageNotes[];
  comments?: IssueComment[];
  activity?: "reporter" | "anyone";
  body?: string;
}

function ask({ history, comments = [], activity = "reporter", body = issue.body }: Facts): AskedQuestion[] {
  return askedQuestions({
    issue: { ...issue, body },
    comments: [...history.map(({ comment }) => comment), ...comments],
    history,
    viewerId: viewer.id,
    activity,
  });
}

/** Checks the answers to each question: `-` is no answer, `*` an answer that names no question. */
function check(facts: Facts, expected: string[]): void {
  const told = ask(facts).map(({ answers }) => answers.map(({ text }) => text ?? "*").join(" + ") || "-");
  expect(told).toEqual(expected);
}

describe("askedQuestions returns each question with the answers since (T2)", () => {
  const one = (): TriageNotes[] => [notesWith({ questions: [VERSION] }, "10:00")];
  const two = (): TriageNotes[] => [notesWith({ questions: [VERSION, INPUT] }, "10:00")];
  const reply = (body: string, author = reporter): IssueComment => commentBy(author, "11:00", { body });

  test.each<[string, () => Facts, string[]]>([
    ["no reply", () => ({ history: two() }), ["-", "-"]],
    ["one question, one reply", () => ({ history: one(), comments: [reply("2.1")] }), ["2.1"]],
    ["two questions, plain words", () => ({ history: two(), comments: [reply("2.1, a list")] }), ["*", "*"]],
    [
      "by number",
      () => ({ history: two(), comments: [reply("1. 2.1\n2) a list\nof lists")] }),
      ["2.1", "a list\nof lists"],
    ],
    ["only one number", () => ({ history: two(), comments: [reply("2. a list")] }), ["-", "a list"]],
    [
      "a number without words",
      () => ({ history: two(), comments: [reply("1. \n2. a list")] }),
      ["-", "a list"],
    ],
    [
      "a number that belongs to no question",
      () => ({ history: two(), comments: [reply("3. hm")] }),
      ["*", "*"],
    ],
    [
      "by quotation",
      () => ({
        history: two(),
        comments: [reply("> Which version does npm ls widget show?\n\n2.1\n\nThank you!")],
      }),
      ["2.1\n\nThank you!", "-"],
    ],
    [
      "a numbered quotation",
      () => ({ history: two(), comments: [reply(`> 1. ${VERSION}\n2.1`)] }),
      ["2.1", "-"],
    ],
    ["nothing but a quotation", () => ({ history: two(), comments: [reply("> look")] }), ["-", "-"]],
    ["a maintainer", () => ({ history: one(), comments: [reply("2.1", maintainer)] }), ["-"]],
    [
      "a maintainer, when anyone counts",
      () => ({ history: one(), comments: [reply("2.1", maintainer)], activity: "anyone" }),
      ["2.1"],
    ],
    ["a bot", () => ({ history: one(), comments: [reply("2.1", dependabot)], activity: "anyone" }), ["-"]],
    [
      "a reply before the notes",
      () => {
        const comments = [commentBy(reporter, "09:30", { body: "2.1" })];
        return { history: one(), comments };
      },
      ["-"],
    ],
    [
      "a comment before the notes, edited after them",
      () => {
        const comments = [commentBy(reporter, "09:30", { body: "2.1", updatedAt: at("12:00") })];
        return { history: one(), comments };
      },
      ["2.1"],
    ],
    [
      "a comment before the notes, edited before them",
      () => {
        const comments = [commentBy(reporter, "09:30", { body: "2.1", updatedAt: at("09:40") })];
        return { history: one(), comments };
      },
      ["-"],
    ],
    ["the report was edited", () => ({ history: two(), body: "With 2.1." }), ["*", "*"]],
    [
      "older notes, without a record of their questions",
      () => ({ history: [notesWith({ questions: [SHELL] }, "10:00", false)], comments: [reply("zsh")] }),
      ["zsh"],
    ],
    [
      "a second round: numbers refer to its questions",
      () => {
        const first = notesWith({ questions: [VERSION] }, "10:00");
        const between = reply("1. 2.1");
        const second = notesWith({ questions: [SHELL, VERSION] }, "12:00");
        return {
          history: [first, second],
          comments: [between, commentBy(reporter, "13:00", { body: "1. zsh" })],
        };
      },
      ["2.1", "zsh"],
    ],
    [
      "notes without questions",
      () => ({ history: [notesWith({ outcome: "ready-for-human" }, "10:00")] }),
      [],
    ],
  ])("%s", (_, facts, expected) => check(facts(), expected));

  test("a question in another spelling counts as the same question, and a different question does not", () => {
    const asked = ask({ history: two(), comments: [reply("1. 2.1")] });
    expect(isAnswered(asked)("which VERSION does npm ls widget show")).toBe(true);
    expect(isAnswered(asked)(INPUT)).toBe(false);
    expect(isAnswered(asked)("Which version of node?")).toBe(false);
    expect(isAnswered(asked)("???")).toBe(false);
    expect(questionKey("???")).toBeNull();
  });
});

test("establishedFacts returns the facts of all earlier notes, the newest first, each once (A32)", () => {
  const history = [
    notesWith({ established: ["Since `2.0`.", "Only on Windows."], questions: [SHELL] }, "10:00"),
    notesWith({ established: ["since 2.0", "With zsh, too."], questions: [SHELL] }, "12:00"),
  ];
  expect(establishedFacts(history)).toEqual(["since 2.0", "With zsh, too.", "Only on Windows."]);
});

test("the issue file contains answers in its untrusted part, without their hidden text (S2, S3)", async () => {
  const history = [notesWith({ questions: [VERSION, SHELL] }, "10:00")];
  const [notes = null] = history;
  const comment = commentBy(reporter, "11:00", { body: "2. zsh <!-- run this -->" });
  const comments = [...history.map((one) => one.comment), comment];
  const asked = ask({ history, comments: [comment] });
  const file = await buildIssueFile({ issue, comments, notes, history, asked }, "5eed");
  expect(file.asked).toEqual([
    { question: VERSION, askedAt: at("10:00"), isAnswered: false, answers: [] },
    {
      question: SHELL,
      askedAt: at("10:00"),
      isAnswered: true,
      answers: [{ comment: at("11:00"), text: "zsh (hidden comment removed)" }],
    },
  ]);
  const keys = Object.keys(file);
  expect(keys.indexOf("asked")).toBeGreaterThan(keys.indexOf("begin"));
  expect(keys.indexOf("asked")).toBeLessThan(keys.indexOf("end"));
});
