import { describe, expect, test } from "vitest";
import { namedAnswers } from "../../src/evidence/index.ts";
import { HEARD } from "./heard.ts";

describe("the answers that a shell script names (V2)", () => {
  const candidates = (script: string): string[] =>
    namedAnswers(script, null, HEARD).map(({ candidate }) => candidate);

  test("shell quotes around quotes of the script are removed", () => {
    expect(candidates("node -e 'f() === '\\''out'\\'''")).toContain("'out'");
  });

  test.each([
    ["a here-document", "node - <<'END'\n// it doesn't work\nif (f('in') !== 'out') fail();\nEND"],
    ["a comment", '# it doesn\'t work\nnode -e \'if (f("in") !== "out") fail()\''],
    [
      "a program in double quotes",
      'node -e "\nconst got = f(\\"don\'t\\");\ngot === \'out\' || fail();\n"\n',
    ],
    ["a quote between quotes", `node -e 'if (f("it'"'"'s") !== "out") fail()'`],
    ["a script of a shell", "sh <<'END'\n# doesn't\nnode -e 'if (f(\"in\") !== \"out\") fail()'\nEND"],
    ["a text beside a command", `say "it's $(node -p 'f("it") === "out"')"`],
  ])("an apostrophe in %s does not hide the answers of a script", (_, script) => {
    expect(candidates(script).filter((one) => /^.out.$/.test(one))).toHaveLength(1);
  });

  // The cost of a match must not explode with the length of the text: the parent reads the script of an untrusted agent.
  test.each(["a0", " ", "\n", "[ ", "[ a", "equal(", "'", "/", "<<a\n", '"$(', "match(", "/[", "match(a,"])(
    "the answers of a script of 32,000 characters that repeats %j are found (S11)",
    (fragment) => {
      const script = `codePointAt length "${fragment.repeat(32_000 / fragment.length)}!`;
      expect(candidates(script)).toContain("identity");
    },
  );

  test("a program in double quotes is read as a program", () => {
    const script = `node -e "require('assert').equal(require('product').f('in'), 'out')"`;
    expect(candidates(script)).toContain("'out'");
  });

  test.each([
    [
      "a shell",
      'for pair in a=A 10.0=8.0; do test "$(up "$pair")" = B || echo no; done',
      '"a" "A" "10.0" "8.0" "$pair" B',
    ],
    ["Python", "for one in ['a', 'b']:\n    assert f(one) == 'c'", "'a' 'b' 'c'"],
  ])("the words of a loop of %s are data in the order of the text", (_, script, expected) => {
    const answers = namedAnswers(script, null, { ...HEARD, hasSeveralCalls: true });
    const data = answers.find(({ only }) => only === "beside")?.data;
    expect(data?.slice(0, 4)).toEqual(expected.split(" ").slice(0, 4));
  });

  test.each([
    ["echo a 'b c' d | xargs check", ['"a"', "'b c'", '"d"']],
    ["printf '%s %s\\n' a A 10.0 8.0 | xargs -n2 check", ['"a"', '"A"', '"10.0"', '"8.0"']],
    [
      "while IFS='|' read -r in want; do check; done <<'END'\na b|A b\n1|2\nEND",
      ['"a b"', '"A b"', '"1"', '"2"'],
    ],
    [`eq "$(pad '["a", 3]')" '--a' text`, ['"a"', "3", "'--a'"]],
    ["cat <<'END'\nconst a = b;\nEND", []],
  ])("the cases that a shell lists are data in the order of the text: %j", (script, expected) => {
    const answers = namedAnswers(script, null, { ...HEARD, hasSeveralCalls: true });
    const data = answers.find(({ only }) => only === "beside")?.data ?? [];
    expect(data.slice(data.length - expected.length)).toEqual(expected);
  });
});
