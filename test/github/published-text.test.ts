import { describe, expect, test } from "vitest";
import {
  codeSpan,
  listItem,
  reporterMention,
  textAsCode,
  textAsLine,
  textAsMarkdown,
} from "../../src/github/index.ts";

function check(text: string, expected: string): void {
  expect(textAsMarkdown(text)).toBe(expected);
}

describe("untrusted text is published as paragraphs, lists and code blocks (S24)", () => {
  test("paragraphs, flat lists, numbers and fenced code keep their shape", () => {
    expect.hasAssertions();
    check("one\ntwo\n\nthree", "one\ntwo\n\nthree");
    check("- a\n- b `c`\n\n* d", "- a\n- b `c`\n- d");
    check("Steps:\n3. a\n4. b\n   more", "Steps:\n\n3. a\n4. b\n   more");
    check("1. a\n\n```js\nf()\n```\n2. b", "1. a\n\n```js\nf()\n```\n\n2. b");
    check("```\nunclosed", "```\nunclosed\n```");
    check("see:\n\n    at f (a.js:1)\n    at g", "see:\n\n```\nat f (a.js:1)\nat g\n```");
    check("~~~sh\nls\n~~~\nafter", "```sh\nls\n```\n\nafter");
  });

  test("all other Markdown syntax is shown literally", () => {
    expect.hasAssertions();
    check("# Verified by the parent", String.raw`\# Verified by the parent`);
    check("---\n\nVerified: merge it", "\\---\n\nVerified: merge it");
    check("a\n===", "a\n\\===");
    check("| a | b |\n|-|-|", "\\| a \\| b \\|\n\\|-\\|-\\|");
    check("> [!NOTE]\n> x", "\\> \\[!NOTE\\]\n\\> x");
    check("</details>", String.raw`\</details>`);
    check("**bold** _it_ snake_case &lt;", String.raw`\*\*bold\*\* \_it\_ snake_case \&lt;`);
    check("[docs](../x) note[^1]", String.raw`\[docs\](../x) note\[^1\]`);
    check("- [x] approved", String.raw`- \[x\] approved`);
    check("1986\\. 12. x", "1986\\\\. 12. x");
    check("an odd ` backtick", "an odd &#96; backtick");
  });

  test("languages that GitHub draws or applies are not kept", () => {
    for (const language of ["mermaid", "math", "geojson", "topojson", "stl", "suggestion", "Mermaid"])
      check(`\`\`\`${language}\nx\n\`\`\``, "```\nx\n```");
  });
});

describe("text that GitHub acts on becomes inert (S7)", () => {
  test.each([
    ["cc @everyone, @org/team", "cc `@everyone`, `@org/team`"],
    ["\uff20everyone and \ufe6beveryone", "`\uff20everyone` and `\ufe6beveryone`"],
    ["Fixes #12 (#13), GH-4", "Fixes `#12` (`#13`), `GH-4`"],
    ["\uff0312", "`\uff0312`"],
    ["other/repo#1 user#6 o/r@0123456789", "`other/repo#1` `user#6` `o/r@0123456789`"],
    ["`x`fixes #12 `x`@user", "`x`fixes `#12` `x@user`"],
    ["`x`user#6", "`xuser#6`"],
    [
      "https://evil.test/a www.evil.test mail a@evil.test",
      "`https://evil.test/a` `www.evil.test` mail `a@evil.test`",
    ],
    ["[a](javascript:alert(1))", "\\[`a](javascript:alert(1`))"],
    ["/close", "`/close`"],
    ["$x$ and $`y`$", "`$x$` and `$y$`"],
    ["at src/slug.js:100:7 (lib/index.js:1234:5).", "at `src/slug.js:100:7` (`lib/index.js:1234:5`)."],
    [":shipit: \uff1aoctocat\uff1a :+1:, a:", "`:shipit`: `\uff1aoctocat\uff1a` `:+1`:, a:"],
    ["since 3f2a9c1b7d", "since `3f2a9c1b7d`"],
    ["&commat;everyone &#64;x", "\\&commat;everyone `&#64;x`"],
  ])("%j is published as %j", (text, expected) => check(text, expected));

  test("a code span or a code block contains no line that a program takes as a command", () => {
    expect(textAsMarkdown("`\n/close\n`")).not.toMatch(/^\/close/m);
    expect(textAsCode("/close\nx", "text")).toBe("```text\n /close\nx\n```");
    expect(textAsLine("a\n/close")).toBe("a `/close`");
  });
});

describe("escape sequences, commands and secrets (S10, S18, S23)", () => {
  test.each([
    ["a\x1b[31mb\x1b]8;;https://evil.test\x07c", "abc"],
    ["x\n\n::set-output name=a::b", "x\n\n\\: :set-output name=a::b"],
    ["\u202elive", String.raw`\[U+202E\]live`],
    [`token ghp_${"a".repeat(36)}`, String.raw`token \[redacted secret\]`],
  ])("%j is published as %j", (text, expected) => check(text, expected));
});

test("the text of a code span or a code block cannot end it (S7)", () => {
  expect(codeSpan("a`b``c")).toBe("`a'b''c`");
  expect(codeSpan(" \n ")).toBe("(none)");
  expect(textAsCode("````\n```", "md")).toBe("`````md\n````\n```\n`````");
});

test("a block does not leave the list item that it is inserted into (S7)", () => {
  expect(listItem("10. ", textAsMarkdown("a\n\n```\nb\n\nc\n```"))).toBe(
    "10. a\n\n    ```\n    b\n\n    c\n    ```",
  );
});

test("a line indented with a tab is code, and keeps the spaces after the tab (S24)", () => {
  expect(textAsMarkdown("before\n\n\t  deeper\n\tfirst\n")).toBe("before\n\n```\n  deeper\nfirst\n```");
});

test("a comment mentions a reporter, a managed user of an enterprise, too, but no bot and no impossible login (S7)", () => {
  const mentionOf = (login: string, isBot = false) => reporterMention({ id: 8, login, isBot });
  expect(mentionOf("mona-lisa")).toBe(", @mona-lisa");
  expect(mentionOf("mona-lisa_octo")).toBe(", @mona-lisa_octo");
  for (const odd of ["x](https://evil.test)", "a_b_c", "_x", "octo/team", "a\nb"])
    expect(mentionOf(odd)).toBe("");
  expect([mentionOf("mona", true), reporterMention(null)]).toEqual(["", ""]);
});
