import { expect, test } from "vitest";
import { callWithNothing } from "../../src/evidence/controls/index.ts";
import { decided, honest } from "./honest-runs.ts";

const MESSAGE = "Cannot read properties of null (reading 'replace')";
const call = { name: "encode", value: "null", message: MESSAGE };
const line = (more: object): string =>
  JSON.stringify({ key: "he.js.encode#1", last: "he.js.encode", by: 'he.js.encode#1["null"]', ...more });
const threw = line({ shape: { t: "undefined", threw: MESSAGE, n: "TypeError" }, nothing: "null" });
const answered = line({ shape: { t: "string", v: "a" } });

test.each([
  ["the last call threw because of null", [answered, threw], call],
  ["another call followed", [threw, answered], null],
  ["no call was noted", ['{"key":"loaded"}'], null],
])("the call without an argument is found only if it is the last one: %s (V3)", (_, lines, expected) => {
  expect(callWithNothing(lines.join("\n"))).toEqual(expected);
});

test("a product that throws because the script passes null does not prove a bug, unless the issue says so (V3)", () => {
  expect(decided(honest, { callWithNothing: call, issueText: "encode ignores decimal" })).toMatchObject({
    type: "wrong-call",
    name: "encode",
  });
});

test.each([
  "encode(null) throws",
  `It says ${MESSAGE}`,
  "encode fails without arguments",
  "fails if the value is undefined",
])(
  "a product that throws because the script passes null proves the bug if the issue says so: %s (V3)",
  (issueText) => {
    expect(decided(honest, { callWithNothing: call, issueText })).toEqual({ type: "verified" });
  },
);
