import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CONTROL_KINDS,
  isEvidence,
  type RunKind,
  type RunRecord,
  showsClaim,
} from "../../src/evidence/index.ts";
import { propertyRuns } from "../support/property-runs.ts";
import { broken, claim, deaf, decided, gone, honest, real, renumbered, run } from "./honest-runs.ts";

const numRuns = propertyRuns(300, 3_000);

describe("the verdict names the cause (V3)", () => {
  test("a claim that every real run shows and no control shows is verified", () => {
    expect(decided(honest)).toEqual({ type: "verified" });
  });

  test.each([["deaf"], ["renumbered"]] as const)(
    "a claim is verified in part if no %s product could be made for the language (V2)",
    (kind) => {
      const verdict = decided(honest.filter((one) => one.kind !== kind));
      expect(verdict).toMatchObject({ type: "verified-in-part", missing: [kind] });
      expect(isEvidence(verdict)).toBe(true);
    },
  );

  test.each([
    ["absent", run("absent", "got 1 for 2")],
    ["broken", run("broken", "got 1 for 2")],
    ["deaf", run("deaf", "got 1 for 2")],
  ])("a claim that the control %s also shows is vacuous", (kind, shown) => {
    const others = honest.filter((one) => one.kind !== kind);
    expect(decided([...others, shown])).toMatchObject({ type: "vacuous", shownIn: [kind] });
  });

  test("a script that prints another answer but still fails is vacuous, because it tests no answer", () => {
    const printed = run("deaf", "got 7 for 2");
    expect(decided([...real, renumbered, gone, broken, printed])).toMatchObject({
      type: "vacuous",
      shownIn: ["deaf"],
    });
    const crashed = run("deaf", "TypeError", 2);
    expect(decided([...real, renumbered, gone, broken, crashed])).toMatchObject({ type: "vacuous" });
  });

  test("a claim of success disappears with its text", () => {
    const successful = { expect: { exitCode: 0, outputContains: "got" } };
    const all = [run("real", "got 1", 0), run("renumbered", "got 1", 0), run("absent", "", 1)];
    expect(decided([...all, run("deaf", "", 0)], { claim: successful })).toEqual({ type: "verified" });
    expect(decided([...all, run("deaf", "got 2", 0)], { claim: successful })).toMatchObject({
      type: "vacuous",
    });
  });

  test("a claim that disappears only under a manifest that lets every file be found is about the manifest", () => {
    const hidden = "ERR_PACKAGE_PATH_NOT_EXPORTED got";
    const all = [run("real", hidden), run("renumbered", hidden), gone, run("broken", hidden)];
    const first = run("deaf", hidden);
    const open = run("deaf", "", 0, { answers: "manifest" });
    expect(decided([...all, first, open])).toEqual({ type: "verified" });
    const shut = run("deaf", hidden, 1, { answers: "manifest" });
    expect(decided([...all, first, shut])).toMatchObject({ type: "vacuous", shownIn: ["broken", "deaf"] });
    const always = [...all, first, open, run("absent", hidden)];
    expect(decided(always)).toMatchObject({ type: "vacuous", shownIn: ["absent"] });
  });

  test("the lines of a control are not compared if they differ between real runs, too", () => {
    const noisy = ["got 4711", "got 4712", "got 4713"].map((output) => run("real", output));
    const records = [...noisy, run("renumbered", "got 4714"), run("absent", "got 4715"), broken, deaf];
    expect(decided(records)).toMatchObject({ type: "vacuous", shownIn: ["absent"] });
  });

  test("different times and durations in the claim's lines are ignored", () => {
    const timed = ["1.5 ms", "17 ms", "2 s"].map((time) => run("real", `got 1 after ${time}`));
    const records = [
      ...timed,
      run("renumbered", "got 1 after 9 ms"),
      run("absent", "got 1 after 3 ms"),
      broken,
      deaf,
    ];
    expect(decided(records)).toMatchObject({ type: "vacuous", shownIn: ["absent"] });
  });

  test("a claim that shows for the first deaf answer and disappears for an answer that the script names is verified", () => {
    const constant = run("deaf", "got 1 for 2");
    const satisfied = run("deaf", "", 0, { answers: "2" });
    expect(decided([...real, renumbered, gone, broken, constant, satisfied])).toEqual({ type: "verified" });
  });

  test("an answer that makes the script fail in another way does not remove the claim", () => {
    const constant = run("deaf", "got 1 for 2");
    const crashed = run("deaf", "TypeError", 2, { answers: "null" });
    expect(decided([...real, renumbered, gone, broken, constant, crashed])).toMatchObject({
      type: "vacuous",
    });
  });

  test("a claim that disappears under another version number proves nothing", () => {
    const other = run("renumbered", "nothing", 0);
    expect(decided([...real, other, gone, broken, deaf])).toMatchObject({ type: "vacuous", shownIn: [] });
  });

  test("a claim without any control is not verified", () => {
    expect(decided(real)).toMatchObject({ type: "vacuous" });
  });

  test("a claim that k of n real runs show is flaky, and not evidence if a control shows it", () => {
    const mixed = [run("real", "got 1 for 2"), run("real", "", 0)];
    const seen = decided([...mixed, gone]);
    expect(seen).toEqual({ type: "flaky", matched: 1, runs: 2, shownIn: [] });
    expect(isEvidence(seen)).toBe(true);
    const coin = decided([...mixed, run("absent", "got 1 for 2")]);
    expect(coin).toMatchObject({ type: "flaky", shownIn: ["absent"] });
    expect(isEvidence(coin)).toBe(false);
  });

  test("an answer satisfies the script only if every deaf run with it does", () => {
    const again = run("deaf", "got 1 for 2", 1);
    expect(decided([...honest, again])).toMatchObject({ type: "vacuous", shownIn: ["deaf"] });
    const other = run("deaf", "", 0, { answers: "2" });
    expect(decided([...honest, again, other])).toEqual({ type: "verified" });
  });

  test("real runs that differ are evidence only if two of them show the claim after the first deaf run", () => {
    const at = (order: number, one: RunRecord): RunRecord => ({ ...one, order });
    const before = [at(0, run("real", "got 1 for 2")), at(1, run("real", "got 1 for 2"))];
    const mixed = [...before, at(2, deaf), at(3, run("real", "", 0)), at(4, run("real", "got 1 for 2"))];
    expect(decided(mixed)).toMatchObject({ type: "vacuous", shownIn: [] });
    expect(decided([...mixed, at(5, run("real", "got 1 for 2"))])).toEqual({
      type: "flaky",
      matched: 4,
      runs: 5,
      shownIn: [],
    });
  });

  test("a bug is not reproduced if no real run shows the claim", () => {
    expect(decided([run("real", "fine", 0)])).toMatchObject({ type: "not-reproduced" });
  });

  test("without runs there is no verdict on the bug", () => {
    expect(decided([])).toMatchObject({ type: "environment", reason: "no run took place" });
  });

  test.each([
    ["network", "connect ECONNREFUSED 127.0.0.1:1 got", 1],
    ["disk", "write got: No space left on device", 1],
    ["permission", "got: Permission denied", 1],
    ["missing-module", "Error: Cannot find module 'chai' got", 1],
    ["missing-file", "ENOENT: no such file or directory, open 'got'", 1],
    ["missing-tool", "sh: 1: got: not found", 1],
  ])(
    "a claim that the controls show and that %s explains comes from the environment",
    (cause, output, code) => {
      const same = (["real", "renumbered", "absent", "broken", "deaf"] as const).map((kind) =>
        run(kind, output, code),
      );
      expect(decided(same)).toMatchObject({ type: "environment", cause });
    },
  );

  test.each([
    [
      "disk",
      "EFBIG: file too large, write got",
      "slice returns one byte too many",
      "It says that the file is too large.",
    ],
    [
      "network",
      "connect ECONNREFUSED 127.0.0.1:1 got",
      "it retries",
      "The second call is refused: ECONNREFUSED.",
    ],
    ["permission", "EACCES got", "the file has the wrong owner", "Permission denied, although it is mine."],
    [
      "missing-file",
      "ENOENT: no such file or directory, open 'in.js', got",
      "a?.b is a parse error",
      "A file that is there cannot be found.",
    ],
  ])(
    "a fault of the machine (%s) in the claimed lines is not a bug of the product, unless the issue names it",
    (cause, output, otherIssue, issue) => {
      const saying = (output: string): RunRecord[] => {
        const shown = (["real", "real", "renumbered"] as const).map((kind) => run(kind, output));
        return [...shown, gone, broken, deaf];
      };
      expect(decided(saying(output), { issueText: otherIssue })).toMatchObject({
        type: "environment",
        cause,
      });
      expect(decided(saying(output), { issueText: issue })).toEqual({ type: "verified" });
      const elsewhere = saying(`${output.replace("got", "x")}\ngot 1 for 2`);
      expect(decided(elsewhere, { issueText: otherIssue })).toEqual({ type: "verified" });
    },
  );

  test("a crash because of a port that the script itself occupies is not a bug of the product, unless the issue names it (V2)", () => {
    const output =
      "throw er; // Unhandled 'error' event\n\nError: listen EADDRINUSE: address already in use :::80\n";
    const claim = { expect: { exitCode: 1, outputContains: "Unhandled 'error' event" } };
    const shown = (["real", "real", "renumbered"] as const).map((kind) => run(kind, output));
    const records = [...shown, gone, broken, run("deaf", "", 0)];
    const issueText = "It stops with EADDRINUSE after close().";
    expect(decided(records, { claim, issueText: "a crash" })).toMatchObject({ cause: "network" });
    expect(decided(records, { claim, issueText })).toEqual({ type: "verified" });
  });

  test("a run that the time limit ended shows no claim, unless the claim is a timeout", () => {
    const hung = (kind: RunKind): RunRecord =>
      run(kind, "got", 0, { end: { type: "timed-out", limitMs: 9 } });
    expect(decided([hung("real"), gone])).toMatchObject({ type: "environment", cause: "time-limit" });
    const hanging = { expect: { exitCode: 124, outputContains: null } };
    const records = [hung("real"), hung("renumbered"), run("absent", "", 1), run("deaf", "", 0)];
    expect(decided(records, { claim: hanging })).toEqual({ type: "verified" });
    const always = [...records, hung("deaf"), hung("absent")].filter(({ end }) => end.type === "timed-out");
    expect(decided(always, { claim: hanging })).toMatchObject({ type: "environment", cause: "time-limit" });
  });

  test("a script that ends its parent shell counts as killed, not as reproduced", () => {
    const cut = run("real", "got", 1, { end: { type: "interrupted" } });
    expect(decided([cut])).toMatchObject({ type: "environment", cause: "killed" });
  });

  test.each(["absent", "broken", "deaf", "renumbered"] as const)(
    "a script that ends its parent shell in the control %s counts as killed, whatever the other runs show",
    (kind) => {
      const cut = run(kind, "got", 1, { end: { type: "interrupted" } });
      for (const others of [[], real.slice(0, 1), [...real, run("real", "fine", 0), gone], honest])
        expect(decided([...others, cut])).toMatchObject({ type: "environment", cause: "killed" });
    },
  );

  test("a time limit that ends the script under another version number does not remove the claim", () => {
    const hung = run("renumbered", "", 0, { end: { type: "timed-out", limitMs: 9 } });
    expect(decided([...real, hung, gone, broken, deaf])).toMatchObject({
      type: "environment",
      cause: "time-limit",
    });
  });

  test("a call of a name that the product never had is a wrong call, unless the product or the issue mentions the name", () => {
    const output = "TypeError: product.got is not a function";
    const records = [run("real", output), run("renumbered", output), gone, broken, run("deaf", output)];
    const missing = { name: "got", kind: "call", phrase: "is not a", lines: output } as const;
    expect(decided(records, { missing: { ...missing, isKnown: false } })).toMatchObject({
      type: "wrong-call",
      name: "got",
    });
    expect(decided(records, { missing: { ...missing, isKnown: true } })).toMatchObject({ type: "vacuous" });
  });
});

const records = fc.array(
  fc.record({
    kind: fc.constantFrom<RunKind>("real", "real", ...CONTROL_KINDS),
    answers: fc.constantFrom(null, null, "1"),
    order: fc.nat(20),
    alone: fc.boolean(),
    end: fc.oneof(
      fc.record({ type: fc.constant("exited" as const), exitCode: fc.constantFrom(0, 1, 1, 2, 127) }),
      fc.record({ type: fc.constant("timed-out" as const), limitMs: fc.nat() }),
      fc.record({ type: fc.constant("interrupted" as const) }),
    ),
    output: fc.constantFrom("got 1", "got 1", "got 2", "", "ENOSPC got", "nothing"),
    outputHash: fc.constant(""),
    durationMs: fc.nat(),
    changes: fc.oneof(
      { weight: 9, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.constant([{ path: "a.js", type: "modified" as const }]) },
    ),
    screenHash: fc.constant(""),
  }),
  { maxLength: 12 },
);

const isShown = ({ end, output }: RunRecord): boolean =>
  end.type === "exited" && showsClaim(claim, end.exitCode, output);

describe("decideEvidence is pure and total (V9)", () => {
  test("every list of records has a verdict, the same in every order", () => {
    fc.assert(
      fc.property(records, fc.integer(), (all, seed) => {
        const turned =
          all.length === 0 ? [] : all.map((_, index) => all[(index + Math.abs(seed)) % all.length]!);
        expect(decided(turned).type).toBe(decided(all).type);
      }),
      { numRuns },
    );
  });

  test("a claim is verified only if every real and renumbered run shows it and a control took place", () => {
    fc.assert(
      fc.property(records, (all) => {
        if (decided(all).type !== "verified") return;
        const whole = all.filter(({ kind }) => kind === "real" || kind === "renumbered");
        expect(whole.some(({ kind }) => kind === "real")).toBe(true);
        expect(whole.every(isShown)).toBe(true);
        expect(all.some(({ kind }) => ["absent", "broken", "deaf"].includes(kind))).toBe(true);
      }),
      { numRuns },
    );
  });

  test("a control without the product that equals the real runs makes every claim unproven", () => {
    fc.assert(
      fc.property(records, fc.constantFrom("absent" as const, "broken" as const), (all, kind) => {
        const copies = all
          .filter((one) => one.kind === "real")
          .map((one) => run(kind, one.output, 1, { end: one.end }));
        const verdict = decided([...all, ...copies]);
        expect(isEvidence(verdict)).toBe(false);
      }),
      { numRuns },
    );
  });

  test("a forbidden change in a real run is tampering, whatever the other runs show", () => {
    fc.assert(
      fc.property(records, (all) => {
        const changed = run("real", "got 1", 1, { changes: [{ path: "b.js", type: "deleted" }] });
        expect(decided([...all, changed]).type).toBe("tampering");
      }),
      { numRuns },
    );
  });
});
