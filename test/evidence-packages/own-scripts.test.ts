import { expect, test } from "vitest";
import { showsClaim } from "../../src/evidence/index.ts";
import { playOwnScripts, predictionOf } from "./index.ts";
import { OWN_SCRIPTS } from "./own-scripts/index.ts";

/** A few scripts of each label; `npm run evidence -- --own` plays all. */
const SAMPLE = [
  "accept/constant text",
  "accept/manifest that is not exported",
  "accept/output of a program",
  "accept/report that a program prints only off a terminal",
  "accept/server at a fixed port",
  "refuse/right answer printed as if wrong",
  "refuse/product given null",
  "refuse/version of the product",
  "refuse/state beside the checkout, behind many files",
  "refuse/state in shared memory",
  "refuse/counts the runs in /run/lock",
];

test("scripts that test the product's answer are accepted, others are refused (V2, V3, V10)", async () => {
  const played = await playOwnScripts((id) => SAMPLE.includes(id), { jobs: 2, onPlayed: () => undefined });
  const seen = played.map((one) => [one.id, predictionOf(one)]);
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(SAMPLE.map((id) => [id, id.slice(0, id.indexOf("/"))])),
  );
}, 600_000);

test("a run can show the claim of every labelled script (V3)", () => {
  const isShown = ({ exitCode, text }: (typeof OWN_SCRIPTS)["accept"][number]): boolean =>
    showsClaim({ expect: { exitCode, outputContains: text } }, exitCode, text ?? "");
  const all = Object.values(OWN_SCRIPTS).flat();
  expect(all.filter((script) => !isShown(script)).map(({ name }) => name)).toEqual([]);
});

test("the screen of a bug that shows by chance is captured after a run that shows it (V2)", async () => {
  const isPlayed = (id: string): boolean => id === "flaky/random start";
  const [played] = await playOwnScripts(isPlayed, { jobs: 1, onPlayed: () => undefined });
  const { verification } = played ?? expect.unreachable("one script is played");
  expect(verification).toMatchObject({ type: "examined", verdict: { type: "flaky" } });
  const screen = verification.type === "examined" ? verification.screen : null;
  expect(screen?.visibleLines.join("\n")).toContain("slug is broken");
}, 600_000);
