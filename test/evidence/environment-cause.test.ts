import { expect, test } from "vitest";
import { machineFault } from "../../src/evidence/decide/environment-cause.ts";

test("a program that its parent stopped after a time limit says nothing about the network (V2)", () => {
  for (const text of ["ETIMEDOUT", "Error: spawnSync /usr/bin/node ETIMEDOUT"])
    expect(machineFault(text, "it never ends")).toBeNull();
  for (const text of ["connect ETIMEDOUT 192.0.2.1:443", "request to https://example.org ETIMEDOUT"])
    expect(machineFault(text, "it never ends")).toBe("network");
});

test("a run time that may not compile code is a fault of the machine, unless the issue names it (V2)", () => {
  const text = "EvalError: Code generation from strings disallowed for this context";
  expect(machineFault(text, "a comment breaks the template")).toBe("permission");
  expect(machineFault(text, "It fails: code generation from strings disallowed")).toBeNull();
});
