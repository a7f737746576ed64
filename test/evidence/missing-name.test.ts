import { systemClock } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import { claimedMissing, missingThing } from "../../src/evidence/decide/index.ts";
import { broken, claim, decided, deaf, gone, run } from "./honest-runs.ts";
import { isOfProduct } from "../../src/evidence/pipeline/is-mentioned.ts";
import type { ReadyWorkspace } from "../../src/workspaces/index.ts";
import type { Verdict } from "../../src/evidence/index.ts";

const JAVA = `T.java:3: error: cannot find symbol
    Box.frobnicate(3);
       ^
  symbol:   method frobnicate(int)
  location: class Box
1 error
`;

const CALLS: readonly (readonly [string, string])[] = [
  ["JavaScript", "TypeError: product.frobnicate is not a function"],
  ["Python", "AttributeError: module 'box' has no attribute 'frobnicate'"],
  ["Ruby", "t.rb:2:in '<main>': undefined method 'frobnicate' for module Box (NoMethodError)"],
  ["Ruby 3.3", "t.rb:2:in `<main>': undefined method `frobnicate' for Box:Module (NoMethodError)"],
  ["PHP", "PHP Fatal error:  Uncaught Error: Call to undefined function box\\frobnicate() in t.php:3"],
  ["a method of PHP", "Uncaught Error: Call to undefined method Box::frobnicate()"],
  ["Go", "./t_test.go:7:2: undefined: box.frobnicate"],
  ["a method of Go", "./t.go:7:4: b.frobnicate undefined (type Box has no field or method frobnicate)"],
  ["Rust", "error[E0425]: cannot find function `frobnicate` in crate `widget`"],
  [
    "a method of Rust",
    "error[E0599]: no method named `frobnicate` found for struct `Box` in the current scope",
  ],
  ["Java", JAVA],
  ["C, for the linker", "main.c:(.text+0x13): undefined reference to `frobnicate'"],
  ["C, for the compiler", "main.c:3:3: error: implicit declaration of function ‘frobnicate’"],
  ["C++", "main.cpp:3:3: error: ‘frobnicate’ was not declared in this scope"],
  ["a member of C++", "main.cpp:4:5: error: ‘struct box’ has no member named ‘frobnicate’"],
  ["Perl", "Undefined subroutine &Box::frobnicate called at t.pl line 3."],
  ["a method of Perl", 'Can\'t locate object method "frobnicate" via package "Box" at t.pl line 3.'],
  ["R", 'Error in frobnicate(3) : could not find function "frobnicate"'],
  ["Lua", "lua: t.lua:2: attempt to call a nil value (field 'frobnicate')"],
];
const OF_MACHINE: readonly (readonly [string, string, "missing-module" | "missing-tool"])[] = [
  ["Ruby", "t.rb:1:in 'require': cannot load such file -- frobnicate (LoadError)", "missing-module"],
  [
    "Go",
    "t.go:4:2: no required module provides package example.com/frobnicate; to add it:",
    "missing-module",
  ],
  ["Rust", "error[E0463]: can't find crate for `frobnicate`", "missing-module"],
  ["R", "Error in library(frobnicate) : there is no package called ‘frobnicate’", "missing-module"],
  [
    "Perl",
    "Can't locate frobnicate.pm in @INC (you may need to install the frobnicate module)",
    "missing-module",
  ],
  ["timeout", "timeout: failed to run command ‘frobnicate’: No such file or directory", "missing-tool"],
  ["bash", "../reproduction: line 4: frobnicate: command not found", "missing-tool"],
  ["zsh", "zsh: command not found: frobnicate", "missing-tool"],
  ["dash", "../reproduction: 4: frobnicate: not found", "missing-tool"],
  ["Go's os/exec", 'exec: "frobnicate": executable file not found in $PATH', "missing-tool"],
];

/** The verdict where the language has no adapter, so that no deaf and no renumbered product could be made. */
function withoutAdapter(output: string, isKnown: boolean, text: string | null = "frobnicate"): Verdict {
  const one = { expect: { exitCode: 1, outputContains: text } };
  const real = [run("real", output), run("real", output)];
  const thing = claimedMissing(one, real[0]!) ?? missingThing(output);
  const missing = thing === null ? null : { ...thing, isKnown };
  return decided([...real, gone, broken], { claim: one, missing });
}

describe("a claim that something is missing, in a language without an adapter (V3)", () => {
  test.each(CALLS)("a call in %s that only the script mentions is a wrong call", (_, output) => {
    expect(withoutAdapter(output, false)).toMatchObject({ type: "wrong-call", name: "frobnicate" });
    expect(withoutAdapter(output, true).type).toBe("verified-in-part");
  });

  test.each(OF_MACHINE)(
    "a thing that %s does not find and only the script mentions is not installed",
    (_, output, cause) => {
      expect(withoutAdapter(output, false)).toMatchObject({ type: "environment", cause });
      expect(withoutAdapter(output, true).type).toBe("verified-in-part");
    },
  );

  test("a compiler's error is also recognised by its first line", () => {
    expect(withoutAdapter(JAVA, false, "cannot find symbol")).toMatchObject({ type: "wrong-call" });
  });

  test("a message elsewhere in the output is not what the claim is about", () => {
    const noisy = "../setup: line 4: frobnicate: command not found\nwrong: 4\n";
    expect(withoutAdapter(noisy, false, "wrong: 4").type).toBe("verified-in-part");
    expect(withoutAdapter(noisy, false, null).type).toBe("verified-in-part");
  });

  test("a claim of an exit code alone is about a missing program if a shell ended because of it", () => {
    const ended = run("real", "../reproduction: line 4: frobnicate: command not found", 127);
    const code = { expect: { exitCode: 127, outputContains: null } };
    expect(claimedMissing(code, ended)).toMatchObject({ name: "frobnicate", kind: "tool" });
  });

  test("a missing module is searched for by the last part of its path, as a source may write it", () => {
    const load = (path: string): string => `cannot load such file -- ${path} (LoadError)`;
    expect(missingThing(load("/place/run/lib/box/lid"))).toMatchObject({ name: "lid", kind: "module" });
    expect(missingThing("Error: Cannot find module '/place/run/dist/index.js'")?.name).toBe("index");
    expect(missingThing("ModuleNotFoundError: No module named 'box.lid'")?.name).toBe("lid");
  });

  test("a message of the product itself is recognised by the file that it names, or by its words in a source", async () => {
    const asked: { commandLine: string; stdin: string }[] = [];
    const exec = (commandLine: string, { stdin }: { stdin: Uint8Array }) => {
      asked.push({ commandLine, stdin: Buffer.from(stdin).toString() });
      return Promise.resolve({ type: "exited", exitCode: commandLine.includes("command not found") ? 0 : 1 });
    };
    const place = { workspace: { exec } as unknown as ReadyWorkspace, directory: "/place" };
    const patience = { clock: systemClock, signal: new AbortController().signal, remainingMs: () => 1_000 };
    const isOf = async (lines: string): Promise<boolean> => {
      const thing = missingThing(lines);
      if (thing === null) throw new Error(`nothing is missing in ${lines}`);
      return isOfProduct(thing, { replaced: ["lib.sh", "src/box.go"] }, place, patience);
    };
    expect(await isOf("src/box.go:3:2: undefined: lid")).toBe(true);
    expect(await isOf("./lib.sh: line 1: cmd_foo: command not found")).toBe(true);
    expect(asked).toEqual([]);
    expect(await isOf("../reproduction: line 4: foo: command not found")).toBe(true);
    expect(await isOf("./t_test.go:7:2: undefined: box.lid")).toBe(false);
    expect(asked[0]?.stdin).toBe("lib.sh\0src/box.go\0");
  });

  test("if a deaf product satisfies the script, the product is the cause, whatever is missing", () => {
    const output = "TypeError: got is not a function";
    const missing = { name: "got", kind: "call", phrase: "is not a", lines: output, isKnown: false } as const;
    const all = [run("real", output), run("renumbered", output), gone, broken, deaf];
    expect(decided(all, { claim, missing })).toEqual({ type: "verified" });
  });
});
