import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  findTriageNotes,
  type IssueComment,
  markerBodyHash,
  markerOutcomes,
  type MarkerTrust,
  parseMarker,
  parseTrustedAuthors,
  type Person,
  renderMarker,
  renderTriageNotes,
  TRIAGE_DISCLAIMER,
  verifyMarker,
} from "../../src/github/index.ts";

const MARKER = "<!-- afk-triage:v1 issue=123 outcome=needs-info run=20260430T141500Z -->";
const fields = { issue: 123, outcome: "needs-info", run: "20260430T141500Z" } as const;
const ours = { id: 7, login: "triage-bot", isBot: false };
const attacker = { id: 66, login: "attacker", isBot: false };

describe("the marker line", () => {
  const check = (body: string, expected: object | null): void => {
    const parsed = parseMarker(body);
    if (expected === null) expect(parsed).toBeNull();
    else expect(parsed).toMatchObject(expected);
  };

  test("a marker counts only when it is well-formed and at the top (S4)", () => {
    expect.hasAssertions();
    check(`${TRIAGE_DISCLAIMER}\n${MARKER}\n\nNeeds reporter input.`, {
      ...fields,
      body: "Needs reporter input.",
    });
    check(`${TRIAGE_DISCLAIMER}\r\n${MARKER}\r\n\r\nText`, { ...fields, body: "Text" });
    check(MARKER, { ...fields, signature: null, body: "" });
    check(MARKER.replace(" -->", " policy=reproduction-verified repro=3/3 -->"), {
      extra: { policy: "reproduction-verified", repro: "3/3" },
    });
    check(MARKER.replace("needs-info", "closed"), null);
    check(MARKER.replace("issue=123", "issue=0"), null);
    check(MARKER.replace("issue=123", "issue=-1"), null);
    check(MARKER.replace("20260430T141500Z", "2026-04-30T14:15:00Z"), null);
    check(MARKER.replace("v1", "v2"), null);
    check(MARKER.replace(" -->", " sig=abc -->"), null);
    check(MARKER.replace(" -->", ` sig=${"a".repeat(64)} late=1 -->`), null);
    check(MARKER.replace(" -->", " issue=124 -->"), null);
    check(`${MARKER} trailing`, null);
    check("", null);
  });

  test("a quoted marker does not count as a marker (S5)", () => {
    expect.hasAssertions();
    check(`> ${TRIAGE_DISCLAIMER}\n> ${MARKER}\n\nI disagree`, null);
    check(`Look:\n${MARKER}`, null);
    check(`${TRIAGE_DISCLAIMER}\n\n${MARKER}`, null);
    check(` ${MARKER}`, null);
    check(`\`\`\`\n${TRIAGE_DISCLAIMER}\n${MARKER}\n\`\`\``, null);
  });

  test("parsing is the inverse of rendering, and the signature verifies", () => {
    const value = fc.stringMatching(/^[A-Za-z0-9._:/@+,]{1,40}$/);
    const key = fc
      .stringMatching(/^[a-z][a-z0-9]{1,10}$/)
      .filter((name) => !["issue", "outcome", "run", "sig"].includes(name));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999 }),
        fc.constantFrom(...markerOutcomes),
        fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true }),
        fc.string({ unit: "grapheme" }),
        (issue, outcome, extra, body) => {
          const marker = { issue, outcome, run: "20260430T141500Z", extra };
          const text = renderTriageNotes({ ...marker, repo: "o/r", body, secret: "k" });
          const parsed = parseMarker(text);
          expect(parsed).toMatchObject(marker);
          expect(parsed && verifyMarker(parsed, "o/r", ["newer", "k"])).toEqual({ type: "verified" });
        },
      ),
    );
  });

  test("rendering rejects fields that could not be parsed back", () => {
    for (const value of ["a b", "-->", "a--b", "", "a=b", "a\nb"]) {
      expect(() => renderMarker({ ...fields, extra: { note: value } })).toThrow(/not a valid marker/);
    }
    expect(() => renderMarker({ ...fields, extra: { issue: "4" } })).toThrow(/not a valid marker/);
  });
});

describe("signatures", () => {
  const signed = renderTriageNotes({ ...fields, repo: "o/r", body: "Body", secret: "k1" });
  const check = (
    text: string,
    secrets: string[],
    expected: string,
    repo: "o/r" | "O/R" | "o/x" = "o/r",
  ): void => {
    const parsed = parseMarker(text);
    expect(parsed && verifyMarker(parsed, repo, secrets).type).toBe(expected);
  };

  test("a change of any signed part invalidates the signature (S4)", () => {
    expect.hasAssertions();
    check(signed, ["k1"], "verified");
    check(signed, ["k1"], "verified", "O/R");
    check(signed.replaceAll("\n", "\r\n"), ["k1"], "verified");
    check(signed, ["k2", "k1"], "verified");
    check(signed, ["k2"], "forged");
    check(signed, [], "forged");
    check(signed, ["k1"], "forged", "o/x");
    check(signed.replace("Body", "Edited"), ["k1"], "forged");
    check(signed.replace("issue=123", "issue=124"), ["k1"], "forged");
    check(signed.replace("needs-info", "wontfix"), ["k1"], "forged");
    check(signed.replace("20260430T141500Z", "20260430T141501Z"), ["k1"], "forged");
    check(signed.replace(" sig=", " extra=1 sig="), ["k1"], "forged");
    check(`${TRIAGE_DISCLAIMER}\n${MARKER}`, ["k1"], "unsigned");
  });

  test("a body hash does not depend on line endings and surrounding white space (S4)", () => {
    expect(markerBodyHash("\nOne\r\nTwo\r\n")).toBe(markerBodyHash("One\nTwo"));
    expect(markerBodyHash("OneTwo")).not.toBe(markerBodyHash("One\nTwo"));
  });

  test("a marker can be signed from a body hash alone", () => {
    const key = { secret: "k1", repo: "o/r", bodyHash: markerBodyHash("Body\n") } as const;
    expect(signed.split("\n")[1]).toBe(renderMarker({ ...fields, key }));
  });
});

describe("triage notes", () => {
  const ref = { repo: "o/r", number: 123 } as const;
  let id = 0;
  const comment = (author: IssueComment["author"], body: string): IssueComment => ({
    id: (id += 1),
    body,
    author,
    createdAt: "2026-04-30T14:15:00Z",
    updatedAt: "2026-04-30T14:15:00Z",
    url: "",
  });
  const notes = (secret?: string, issue = 123, repo: "o/r" | "o/x" = "o/r"): string =>
    renderTriageNotes({ ...fields, issue, repo, body: "Body", secret });
  const check = (
    comments: IssueComment[],
    trust: Partial<MarkerTrust>,
    expected: { newest: number | null; rejected: string[] },
  ): void => {
    const found = findTriageNotes({
      comments,
      ref,
      trust: { viewerId: ours.id, trustedAuthors: [], keys: [], ...trust },
    });
    expect(found.notes === null ? null : comments.indexOf(found.notes.comment)).toBe(expected.newest);
    expect(found.rejected.map(({ reason }) => reason)).toEqual(expected.rejected);
    expect(found.history.at(-1) ?? null).toBe(found.notes);
  };

  test("notes are trusted by author id or by allow-list, and the newest notes win (S4)", () => {
    expect.hasAssertions();
    check([comment(ours, notes()), comment(ours, notes())], {}, { newest: 1, rejected: [] });
    check([comment(ours, notes()), comment(ours, notes())].reverse(), {}, { newest: 0, rejected: [] });
    check(
      [comment(ours, notes()), comment(attacker, notes())],
      {},
      { newest: 0, rejected: ["author-not-trusted"] },
    );
    check(
      [comment({ ...attacker, login: "triage-bot" }, notes())],
      {},
      { newest: null, rejected: ["author-not-trusted"] },
    );
    check([comment(null, notes())], {}, { newest: null, rejected: ["author-not-trusted"] });
    check([comment(attacker, notes())], { trustedAuthors: ["ops", "Attacker"] }, { newest: 0, rejected: [] });
    check([comment(attacker, notes())], { trustedAuthors: [66] }, { newest: 0, rejected: [] });
    check([], {}, { newest: null, rejected: [] });
  });

  test("when keys are configured, a trusted author alone is not enough (S4)", () => {
    expect.hasAssertions();
    const keys = ["new", "old"];
    check([comment(ours, notes("old"))], { keys }, { newest: 0, rejected: [] });
    check(
      [comment(ours, notes("old")), comment(ours, notes("x"))],
      { keys },
      { newest: 0, rejected: ["forged"] },
    );
    check([comment(ours, notes())], { keys }, { newest: null, rejected: ["unsigned"] });
    check([comment(attacker, notes("new"))], { keys }, { newest: null, rejected: ["author-not-trusted"] });
    check([comment(ours, notes("new", 123, "o/x"))], { keys }, { newest: null, rejected: ["forged"] });
  });

  test("only an unsigned or forged comment of our own account, or an edited one of a trusted author, is reported as unverified notes (S4)", () => {
    const keys = ["k"];
    const trust = { viewerId: ours.id, trustedAuthors: ["attacker"], keys };
    const unverified = (one: IssueComment): boolean =>
      findTriageNotes({ comments: [one], ref, trust }).unverified?.comment === one;
    const edited = (author: Person): IssueComment => ({
      ...comment(author, `${notes("k")} more`),
      updatedAt: "2026-04-30T15:00:00Z",
    });
    expect(
      [
        comment(ours, notes()),
        comment(ours, notes("x")),
        comment(ours, notes("k")),
        comment(ours, notes("k", 124)),
        edited(ours),
        edited(attacker),
        edited({ ...attacker, id: 67, login: "nobody" }),
        comment(attacker, notes()),
        comment(attacker, notes("x")),
      ].map(unverified),
    ).toEqual([true, true, false, false, true, true, false, false, false]);
  });

  test.each([
    ["signed", "k", ["k"]],
    ["not signed", undefined, []],
  ])(
    "notes edited after publication are recognised and never count, and ticked boxes are not an edit, when markers are %s (S4)",
    (_, secret, keys) => {
      expect.hasAssertions();
      const body = "Body\n\n- [ ] One.\n- [ ] Two.";
      const published = comment(
        ours,
        renderTriageNotes({ ...fields, issue: 123, repo: "o/r", body, secret }),
      );
      const edited = (...change: [string, string]): IssueComment => ({
        ...published,
        body: published.body.replace(...change),
        updatedAt: "2026-04-30T15:00:00Z",
      });
      const isEdited = { newest: null, rejected: ["edited"] };
      check([edited("Body", "Another body")], { keys }, isEdited);
      check([edited("One", "Another one")], { keys }, isEdited);
      check([edited("[ ]", "[y]")], { keys }, isEdited);
      check([edited("", "")], { keys }, { newest: 0, rejected: [] });
      check([edited("[ ] Two", "[x] Two")], { keys }, { newest: 0, rejected: [] });
    },
  );

  test("a changed outcome counts as an edit when markers are signed, and an old unsigned comment without a check sum counts as edited (S4)", () => {
    expect.hasAssertions();
    const later = { updatedAt: "2026-04-30T15:00:00Z" };
    const isEdited = { newest: null, rejected: ["edited"] };
    const changed = notes("k").replace("needs-info", "wontfix");
    check([{ ...comment(ours, changed), ...later }], { keys: ["k"] }, isEdited);
    const old = comment(ours, notes().replace(/ body=\w+/, ""));
    check([old], {}, { newest: 0, rejected: [] });
    check([{ ...old, ...later }], {}, isEdited);
  });

  test("a replay of our own signed text is not read as our notes, even when a trusted author posts it (S4)", () => {
    expect.hasAssertions();
    const keys = ["k"];
    const ops = { id: 8, login: "ops", isBot: false };
    check(
      [comment(ours, notes("k")), comment(ops, notes("k"))],
      { keys, trustedAuthors: [8] },
      { newest: 0, rejected: ["replayed"] },
    );
  });

  test("another issue's marker does not count for this issue (S4)", () => {
    expect.hasAssertions();
    check([comment(ours, notes(undefined, 999))], {}, { newest: null, rejected: ["other-issue"] });
    check([comment(ours, notes("k", 999))], { keys: ["k"] }, { newest: null, rejected: ["other-issue"] });
  });
});

test("AFK_TRIAGE_TRUSTED_MARKER_AUTHORS lists ids and logins (S4)", () => {
  const check = (text: string | undefined, expected: string[] | null): void =>
    expect(parseTrustedAuthors(text)).toEqual(expected);
  check(undefined, null);
  check("", null);
  check("   ", null);
  check("triage-bot", ["triage-bot"]);
  check(" triage-bot , , ops-bot ", ["triage-bot", "ops-bot"]);
  check(" , , ", []);
});
