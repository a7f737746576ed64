import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TrackedState, TuiSignals } from "../../../src/tui/index.ts";
import "../../support/seed-properties.ts";
import {
  DONE,
  DRAFT,
  FAILED,
  type Happening,
  IDLE,
  INTERRUPTED,
  type Step,
  track,
  trackEvery,
  WORKING,
} from "./scripted-tui.ts";

const ENDINGS = [DONE("a"), DONE("b"), INTERRUPTED("a"), INTERRUPTED("b"), FAILED("a")];
const SURFACES: readonly Partial<TuiSignals>[] = [
  IDLE,
  DRAFT("go on"),
  { surface: { type: "menu" }, readyPosture: "unknown" },
  { surface: { type: "other" }, readyPosture: "unknown", acceptingInput: "unknown" },
  {
    surface: {
      type: "dialog",
      dialog: { kind: "permission", heading: "May I?", choices: [], selected: null },
    },
    acceptingInput: "no",
    readyPosture: "no",
  },
];
const ACTIVE = [WORKING, { ...WORKING, ...DRAFT("next") }, { activeReasons: ["transcript_growth" as const] }];

function screens(signals: readonly Partial<TuiSignals>[]): fc.Arbitrary<Happening> {
  return fc.record({ screen: fc.constantFrom(...signals), text: fc.constantFrom("", "more") });
}

const tick: fc.Arbitrary<Happening> = fc.constant({ do: "tick" });
const submit: fc.Arbitrary<Happening> = fc.constant({ do: "submit" });
const probe: fc.Arbitrary<Happening> = fc.record({
  probe: fc.constantFrom(
    {},
    { process: "gone" as const },
    { probeError: "no answer" },
    { terminal: "gone" as const },
  ),
});
const anything = fc.oneof(
  { weight: 6, arbitrary: screens([...ENDINGS, ...SURFACES, ...ACTIVE]) },
  { weight: 1, arbitrary: submit },
  { weight: 1, arbitrary: probe },
);

function steps(happening: fc.Arbitrary<Happening>): fc.Arbitrary<Step[]> {
  return fc.array(fc.tuple(fc.nat(7_000), happening), { maxLength: 30 }).map((gaps) => {
    let atMs = 0;
    return gaps.map(([gapMs, what]) => [(atMs += gapMs), what] as const);
  });
}

test("a Turn never succeeds without a submit or active evidence (H33)", () => {
  const idle = fc.oneof(screens([...ENDINGS, ...SURFACES]), tick, probe);
  fc.assert(
    fc.property(steps(idle), (all) => {
      for (const { lastTurn } of track(all)) expect(lastTurn.result).not.toBe("success");
    }),
  );
});

test("a recovery without an end on the screen has no result (H27)", () => {
  const endless = fc.oneof(screens([...SURFACES, ...ACTIVE]), submit, tick);
  fc.assert(
    fc.property(steps(endless), (all) => {
      for (const { lastTurn } of track(all))
        expect(lastTurn).toMatchObject({ result: "none", source: "none" });
    }),
  );
});

test("a result changes only at the end of a Turn, or from success back to none (H32, H37)", () => {
  const observed = fc.oneof(screens([...ENDINGS, ...SURFACES, ...ACTIVE]), submit, tick);
  fc.assert(
    fc.property(steps(observed), (all) => {
      let before: TrackedState["lastTurn"]["result"] = "none";
      for (const { lastTurn } of trackEvery(all)) {
        if (lastTurn.result === "none") expect(["none", "success"]).toContain(before);
        expect(lastTurn.source === "none").toBe(lastTurn.result === "none");
        before = lastTurn.result;
      }
    }),
  );
});

test("the state is never ready while a dialog, a menu or live evidence of work is on the screen (H19, H23, H28)", () => {
  fc.assert(
    fc.property(steps(anything), (all) => {
      for (const { turn, surface, diagnostics } of track(all)) {
        if (turn.phase !== "ready") continue;
        expect(diagnostics.availability).toBe("available");
        expect(surface.shows.type).not.toBe("dialog");
        expect(surface.shows.type).not.toBe("menu");
      }
    }),
  );
});

test("additional ticks do not change the states published at the events (H4)", () => {
  fc.assert(
    fc.property(steps(anything), fc.array(fc.nat(200_000), { maxLength: 40 }), (all, times) => {
      const ticks = times.map((atMs): Step => [atMs, { do: "tick" }]);
      const mixed = [
        ...all.map((step) => ({ step, isEvent: true })),
        ...ticks.map((step) => ({ step, isEvent: false })),
      ]
        // The sort is stable, so that a tick at the time of an event comes after it.
        .toSorted((a, b) => a.step[0] - b.step[0]);
      const told = track(mixed.map(({ step }) => step));
      expect(told.filter((_, index) => mixed[index]?.isEvent)).toEqual(track(all));
    }),
  );
});
