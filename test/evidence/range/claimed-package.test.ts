import { expect, test } from "vitest";
import { claimedPackage } from "../../../src/evidence/range/index.ts";

const packages = [
  { name: "@scope/core", folder: "packages/core" },
  { name: "core-plugin", folder: "packages/core-plugin" },
];

test.each([
  ["require('@scope/core')", "@scope/core"],
  ["import x from '@scope/core/lib/x.js'", "@scope/core"],
  ["cd packages/core && npm test", "@scope/core"],
  ["node ./packages/core-plugin/index.js", "core-plugin"],
  ["require('core-plugin')", "core-plugin"],
  ["require('@scope/core'); require('core-plugin')", null],
  ["require('@scope/core-extra')", null],
  ["require('other/core-plugin')", null],
  ["npm test", null],
])("the package that %s is about is %s (V4)", (script, expected) => {
  expect(claimedPackage(packages, script)).toBe(expected);
});
