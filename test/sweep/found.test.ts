import { describe, expect, test } from "vitest";
import { claimFromRun, findInIssue } from "../../src/sweep/found/index.ts";

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

describe("reproductions in the text of an issue", () => {
  test("a fenced script is taken with the exit code and the words that the report names (W1)", () => {
    const body = [
      "# Steps to reproduce",
      fence("js", "const p = require('parser');\nconsole.log(p.parse('a'));\nprocess.exit(3);"),
      "I got `undefined line` and it exits with code 3.",
    ].join("\n\n");
    const [found] = findInIssue([body]);
    expect(found?.expect).toEqual({ exitCode: 3, outputContains: "undefined line" });
    expect(found?.script).toContain("exec node reproduction.cjs");
    expect(found?.script).toContain("ln -s");
  });

  test("the likeliest block comes first, and output, expectations and set-up are no scripts (W1)", () => {
    const body = [
      fence("js", "import { other } from 'parser';"),
      "## Expected",
      fence("js", "console.log('fine')"),
      "## Environment",
      fence("sh", "node -v"),
      "## Reproduction",
      fence("sh", "npm install parser"),
      fence("sh", "#!/bin/sh\nnode -e 'require(\"parser\")()'"),
      "## Actual output",
      fence("", "TypeError: no"),
    ].join("\n\n");
    const found = findInIssue([body]);
    expect(found.map(({ script }) => script.split("\n")[1])).toEqual([
      "node -e 'require(\"parser\")()'",
      expect.stringContaining("name=$(node -p"),
    ]);
    expect(found[0]?.said).toEqual(["TypeError: no"]);
  });

  test("the commands after prompts are the script, not what they printed", () => {
    const [found] = findInIssue([fence("console", "$ node -e 'x()'\nReferenceError: x\n$ echo $?\n1")]);
    expect(found?.script).toBe("#!/bin/sh\nnode -e 'x()'\necho $?\n");
  });

  test("prose without code offers nothing", () => {
    expect(findInIssue(["It is broken since `1.2.0`.", ""])).toEqual([]);
  });
});

describe("the claim of an observed run", () => {
  const claim = (output: string, exitCode: number | null, said: string[] = []) =>
    claimFromRun({ output, exitCode }, said);

  test("a run that prints what the report says shows the bug, whatever its exit code (W2)", () => {
    expect(claim("a  b\n", 0, ["a  b", "never"])).toEqual({ exitCode: 0, outputContains: "a  b" });
  });

  test("a run that fails shows its telling line, without places of the machine (W2)", () => {
    const output =
      "/tmp/x/y/run/a.js:3\nTypeError: no such thing in /tmp/x/y/run/a.js\n    at f (/tmp/x/y/a.js:1)\n";
    expect(claim(output, 1)).toEqual({ exitCode: 1, outputContains: "TypeError: no such thing in" });
    expect(claim("", 4)).toEqual({ exitCode: 4, outputContains: null });
  });

  test("a run that ends well and prints nothing of the report, or does not end, shows nothing (W2)", () => {
    expect(claim("fine\n", 0, ["broken"])).toBeNull();
    expect(claim("TypeError: x\n", null)).toBeNull();
  });
});
