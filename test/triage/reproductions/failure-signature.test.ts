import { describe, expect, test } from "vitest";
import { failureSignature } from "../../../src/triage/index.ts";
import { runWith } from "../facts.ts";

const failing = (outputExcerpt: string, exitCode = 1) => runWith({ outputExcerpt, exitCode });

/** Returns whether two failures count as the same one. */
function check(one: string, other: string, isSame: boolean, exitCode = 1): void {
  const [left, right] = [failureSignature([failing(one)]), failureSignature([failing(other, exitCode)])];
  expect(left).not.toBeNull();
  expect({ one, other, isSame: left === right }).toEqual({ one, other, isSame });
}

const TYPE_ERROR =
  "file:///w/1/verify/run/widget.mjs:1\nTypeError: Cannot read properties of undefined (reading 'name')\n    at first (/w/1/verify/run/widget.mjs:1:40)\n\nNode.js v20.20.2";

describe("the signature of a failure", () => {
  test("is the same for other directories, times and lines", () => {
    check(TYPE_ERROR, TYPE_ERROR.replaceAll("/w/1/", "/home/other/place/"), true);
    check(TYPE_ERROR, TYPE_ERROR.replaceAll(":40", ":87"), true);
    check(`starting 12:00:01\n${TYPE_ERROR}`, `starting 17:30:55 of today\n${TYPE_ERROR}`, true);
    check("panic: index out of range [5] with length 3", "panic: index out of range [7] with length 2", true);
    check("Segmentation fault at address 0xdeadbeef", "Segmentation fault at address 0x00ff12", true);
  });

  test("differs for another failure or another exit code", () => {
    check(TYPE_ERROR, TYPE_ERROR.replace("'name'", "'size'"), false);
    check(TYPE_ERROR, TYPE_ERROR, false, 2);
    check(
      "AssertionError: expected the list to be sorted",
      "AssertionError: expected the list to be empty",
      false,
    );
  });

  test("is null when the output is too short or the runs differ", () => {
    expect(failureSignature([failing("exit 1")])).toBeNull();
    expect(failureSignature([failing("")])).toBeNull();
    expect(failureSignature([])).toBeNull();
    expect(failureSignature([failing(TYPE_ERROR), failing("RangeError: invalid array length")])).toBeNull();
    const miss = runWith({ matched: false, outputExcerpt: "fine" });
    expect(failureSignature([failing(TYPE_ERROR), miss])).toBe(failureSignature([failing(TYPE_ERROR)]));
  });
});
