import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hiddenGfmEdits } from "../../src/github/hidden-gfm.ts";
import { createFlagRecorder } from "../../src/github/hidden-text.ts";
import { type HiddenTextKind, sanitiseInbound } from "../../src/github/index.ts";
import { propertyRuns } from "../support/property-runs.ts";

describe("text that a reader on GitHub does not see (S2)", () => {
  const check = (markdown: string, text: string, ...kinds: HiddenTextKind[]): void => {
    const sanitised = sanitiseInbound(markdown);
    expect(sanitised.text).toBe(text);
    expect(sanitised.flags.map(({ kind }) => kind)).toEqual(kinds);
  };

  test("ordinary text keeps its characters and raises no flag (S2)", () => {
    expect.hasAssertions();
    for (const text of [
      "# Title\n\n- a *b* `c` [d](https://x.test)\n\n| a | b |\n|---|---|\n| 1 | 2 |",
      "```sh\necho '<!-- x -->' {{X}} ${HOME} !`ls`\n```",
      "{{ISSUE}} `!x` $(id) %s <https://x.test> a < b && c > d",
      "👨‍👩‍👧 ❤️ 日本語 é שלום",
      "[a][b]\n\n[b]: https://x.test",
      "![image](https://x.test/i.png)",
      "text[^1]\n\n[^1]: a note",
      "    indented <!-- code -->",
    ]) {
      expect(sanitiseInbound(text).flags).toEqual([]);
    }
    check("{{X}} $(id) !`ls`", "{{X}} $(id) !`ls`");
  });

  test("text hidden outside code is found even next to code (S2)", () => {
    expect.hasAssertions();
    check("`a` b&#8203;c", "`a` bc", "zero-width-characters");
    check("`&#8203;` b", "`&#8203;` b");
  });

  test("cells beyond the columns of a table, which GitHub does not show, are removed (S2)", () => {
    expect.hasAssertions();
    check("| a |\n|---|\n| 1 | run x |", "| a |\n|---|\n| 1 |", "table-cell");
  });

  test("a fold is reported once, and an invisible element is reported at its opening tag (S2)", () => {
    expect(sanitiseInbound("<details>\n\na\n\n</details>\n\n<!-- b -->").flags).toMatchObject([
      { kind: "html-comment", count: 1 },
      { kind: "folded-section", count: 1 },
    ]);
    expect(sanitiseInbound("a <style>b</style> c").flags).toMatchObject([
      { kind: "hidden-html", count: 1, excerpt: "style" },
    ]);
    expect(sanitiseInbound("a </style> c").flags).toEqual([]);
  });

  test("HTML comments are replaced, including unclosed, encoded or quoted ones (S2)", () => {
    expect.hasAssertions();
    check("a <!-- run x --> b", "a (hidden comment removed) b", "html-comment");
    check("a\n\n<!-- run x\n\nand more", "a\n\n(hidden comment removed)", "html-comment");
    check("> <!-- a\n> b -->\n> c", "> (hidden comment removed)\n> c", "html-comment");
    check("<div><!-- x --></div>", "<div>(hidden comment removed)</div>", "html-comment");
    check("a &lt;!-- run --&gt; b", "a (comment:  run ) b", "encoded-comment");
    check("a &#60;&#x21;&#45;- run", "a (comment:  run", "encoded-comment");
    check("a <!-- run", "a (comment:  run", "encoded-comment");
    check("<?php x ?>", "(hidden comment removed)", "html-comment");
    check("[//]: # (run x)", "(link definition: #)", "link-title", "link-definition");
  });

  test("formulas with hidden text are removed, and others keep their characters (S2)", () => {
    expect.hasAssertions();
    const removed = "a (formula with hidden text removed) b";
    for (const formula of [
      String.raw`$$x \phantom{run curl} y$$`,
      String.raw`$x\hphantom{run}$`,
      "$`x \\def\\y{run}`$",
      "$$x % run\ny$$",
      String.raw`$\color{white}{run}$`,
      String.raw`$\textcolor{#ffffff}{run}$`,
    ])
      check(`a ${formula} b`, removed, "drawn-code");
    const costly = "]".repeat(2_001);
    check(`${costly} a $$\\phantom{run}$$ b`, `${costly} ${removed}`, "drawn-code");
    for (const text of [
      String.raw`$\color{red}{x}$ and $50\%$ and $$\lambda = \letter$$`,
      "It costs $5, 50% more than $HOME/x, `$a % b$` and echo $1%$2",
      "```\n$$ % x $$\n```",
    ])
      check(text, text);
  });

  test("invisible characters are removed, even in code (S2)", () => {
    expect.hasAssertions();
    check("a\u200bb\u00adc\ufeffd", "abcd", "zero-width-characters");
    check("a\u202eb\u2066c", "abc", "bidi-controls");
    check("a\x00b\x1b[31mc\x07", "ab[31mc", "control-characters");
    check(
      "`a\u200bb`\n\n```\nx\u202ey\n```",
      "`ab`\n\n```\nxy\n```",
      "bidi-controls",
      "zero-width-characters",
    );
    check("a&#8203;&#x202E;&ZeroWidthSpace;b", "ab", "zero-width-characters");
    check("&#65;&amp;", "&#65;&amp;");
    const tags = Array.from("run x", (c) => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0))).join("");
    check(`a${tags}b`, "ab", "tag-characters");
    expect(sanitiseInbound(tags).flags).toEqual([{ kind: "tag-characters", count: 5, excerpt: "run x" }]);
  });

  test("titles, alternative texts, attributes, code info and other hidden text are removed or made visible (S2)", () => {
    expect.hasAssertions();
    check('[a](https://x.test "run x") b', "[a](<https://x.test>) b", "link-title");
    check('[a][b]\n\n[b]: https://x.test "run"', "[a][b]\n\n[b]: <https://x.test>", "link-title");
    check("![run x](https://x.test/i)", "![](<https://x.test/i>)", "image-text");
    check(
      "[![run](https://x.test/i)](https://y.test 't')",
      "[![](<https://x.test/i>)](<https://y.test>)",
      "link-title",
      "image-text",
    );
    check("<p data-x=\"run\" title='b'>c</p>", "<p>c</p>", "html-attribute");
    check(
      '<img src="https://x.test/i" alt="run" width=3>',
      '<img src="https://x.test/i" width=3>',
      "html-attribute",
    );
    check("<p hidden>c</p>", "<p>c</p>", "html-attribute");
    check("<script>run</script>", "run", "hidden-html");
    check('<div data-x="run', '&lt;div data-x="run', "hidden-html");
    check(
      "<details><summary>log</summary>\n\nx\n\n</details>",
      "<details><summary>log</summary>\n\nx\n\n</details>",
      "folded-section",
    );
    check("```js run this\nx\n```", "```js\nx\n```", "code-info");
    check("[^9]: run x", "(unreferenced note 9) run x", "link-definition");
  });

  test("a removal does not create new hidden text (S2)", () => {
    expect.hasAssertions();
    expect(sanitiseInbound("<!<!-- -->-- run -->").text).not.toContain("<!--");
    expect(sanitiseInbound("<\u200b!-- run -->").text).toBe("(hidden comment removed)");
    expect(sanitiseInbound(`${"> ".repeat(300)}<!-- run -->`).text).not.toContain("<!--");
  });

  test("sanitising escapes text whose nesting would stall the parser, instead of parsing it (S11)", () => {
    const nested = "- > \n".repeat(13_000);
    // A parsed comment would read "(hidden comment removed)".
    expect(sanitiseInbound(`${nested}<!-- run -->`).text).toBe(`${nested}&lt;!-- run -->`);
  });

  test("sanitising again changes nothing and finds nothing (S2)", () => {
    const pieces = fc.constantFrom(
      ...'<!-- | --> |<!|--|>|&lt;!--|--&gt;|<p |data-x=\'|\'|"|title=|<details>|</details>|[a](|https://x.test|)|]|[| "t"'.split(
        "|",
      ),
      ..."![|[r]|[r]: |[^1]|[^1]: |```|`|\n|\n\n|> |- |    |\u200b|\u202e|\u{e0041}|\x1b|a|b |<script>|<?|?>|\\|&#8203;".split(
        "|",
      ),
    );
    const law = fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const once = sanitiseInbound(parts.join(""));
      const twice = sanitiseInbound(once.text);
      expect(twice.text).toBe(once.text);
      expect(twice.flags.filter(({ kind }) => kind !== "folded-section")).toEqual([]);
      expect(once.text.replaceAll(/`[^`]*`|```[\s\S]*|^ {4}.*$/gm, "")).not.toMatch(
        /[\u200b\u202e\u{e0041}\x1b]/u,
      );
    });
    fc.assert(law, { numRuns: 800 });
  });
});

test("a text is searched for hidden cells of tables whenever a Markdown parser finds some in it (S2)", () => {
  const row = fc.constantFrom(
    "a|b",
    "| a | b",
    "-|-",
    " :-: | -",
    "\t|-|-|",
    "> a|b",
    "> |\t-|-",
    "c|d|e",
    "> c|d|e",
    "|c|d|e|",
    " ",
    "-",
  );
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const text = rows.join("\n");
      const edits = (markdown: string): unknown => hiddenGfmEdits(markdown, createFlagRecorder());
      // The note's beginning has any text parsed.
      expect(edits(text)).toEqual(edits(`${text}\n\n[^`));
    }),
    { numRuns: propertyRuns(500, 20_000) },
  );
});
