import { expect, test } from "vitest";
import { createReadyTimes } from "../../src/cli/output/index.ts";
import type { BatchEvent } from "../../src/triage/index.ts";

const ready = (number: number, building: number): BatchEvent => ({
  type: "workspace-ready",
  ref: { repo: "o/r", number },
  name: `r-triage-${number}`,
  origin: "built",
  stages: { queued: 1_000, building },
});
const checkout = (number: number, clone: number): BatchEvent => ({
  type: "checkout-ready",
  ref: { repo: "o/r", number },
  stages: { clone, setup: 30_000 },
});

test("a batch reports at its end how long each stage took until the checkout was ready, as the median of its runs", () => {
  const times = createReadyTimes();
  expect(times.lines()).toEqual([]);
  const events = [
    ready(1, 20_000),
    checkout(1, 4_000),
    ready(2, 90_000),
    checkout(2, 6_000),
    ready(3, 10_000),
  ];
  for (const event of [...events, checkout(3, 5_000)]) times.observe(event);
  expect(times.lines()).toEqual([
    "a ready checkout took 56 s (median of 3): queued 1 s, building 20 s, clone 5 s, setup 30 s",
  ]);
});
