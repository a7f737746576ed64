import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { BuiltProgram } from "../support/batch/program.ts";
import {
  buildImpatientProgram,
  coderFaultKinds,
  drawSchedule,
  githubFaultKinds,
  type PlayedSchedule,
  playSchedule,
  sumUp,
} from "../support/chaos/index.ts";

// Several real batches a schedule, on a machine that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const SEED = Number(process.env["AFK_TEST_SEED"] ?? 20_261_121);
const SCHEDULES = 8;

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildImpatientProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

const schedules = (count: number) =>
  Array.from({ length: count }, (_, index) => drawSchedule(SEED, index + 1));

test("a schedule is the same data whenever it is drawn from its seed and number, and another one otherwise", () => {
  expect(schedules(50)).toEqual(schedules(50));
  const distinct = new Set(schedules(50).map((schedule) => JSON.stringify(schedule)));
  expect(distinct.size).toBe(50);
  expect(drawSchedule(SEED + 1, 1)).not.toMatchObject({
    issues: drawSchedule(SEED, 1).issues,
    strikes: drawSchedule(SEED, 1).strikes,
  });
});

test("the nightly size holds every kind of fault, every signal, shared and separate homes", () => {
  const drawn = schedules(300);
  const strikes = drawn.flatMap((schedule) => schedule.strikes);
  const kindsOf = (type: "coder" | "github") =>
    new Set(strikes.flatMap((strike) => (strike.type === type ? [strike.fault.kind] : [])));
  expect(kindsOf("coder")).toEqual(new Set(coderFaultKinds));
  expect(kindsOf("github")).toEqual(new Set(githubFaultKinds));
  const signals = new Set(strikes.flatMap((strike) => (strike.type === "signal" ? [strike.signal] : [])));
  expect(signals).toEqual(new Set(["SIGKILL", "SIGTERM", "SIGINT"]));
  const homes = drawn
    .filter(({ parents }) => parents.length > 1)
    .map(({ parents }) => new Set(parents.map(({ home }) => home)).size);
  expect(new Set(homes)).toEqual(new Set([1, 2, 3]));
});

test("T3 T4 T5 T7 T11 T12 O12 O13 O18 S11 S15: after seeded faults and signals nothing leaks, doubles, is missing or lies", async () => {
  const waiting = schedules(SCHEDULES);
  const played: PlayedSchedule[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      played.push(await playSchedule(next, program));
  };
  await Promise.all([worker(), worker()]);
  for (const { schedule, violations, timeline } of played) {
    const replay = `npm run chaos -- --seed ${SEED} --only ${schedule.number} --verbose`;
    const story = violations.length === 0 ? [] : timeline;
    expect({ replay, violations, story }).toEqual({ replay, violations: [], story: [] });
  }
  const figures = sumUp(SEED, played);
  expect(figures).toMatchObject({ schedules: SCHEDULES });
  // A harness that disturbs nothing proves nothing.
  expect(Object.keys(figures.faults).length).toBeGreaterThan(5);
  expect(Object.keys(figures.signals).length).toBeGreaterThan(0);
});
