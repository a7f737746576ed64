import { join } from "node:path";
import * as fc from "fast-check";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  type IssueIndex,
  type IssueText,
  offerCandidates,
  openIssueIndex,
} from "../../src/duplicates/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const DAY_MS = 86_400_000;

function issue(number: number, title: string, body = "", createdMs = number * DAY_MS): IssueText {
  return { number, title, body, createdMs, state: "open", reporter: null };
}

const TRACKER: readonly IssueText[] = [
  issue(1, "Crash when the configuration file is empty", "TypeError: Cannot read properties of undefined"),
  issue(2, "Add a dark theme", "A dark theme would be easier on the eyes at night."),
  issue(3, "parseUrlPath drops the query string", "Calling parseUrlPath('/a?b=1') returns '/a'."),
  issue(4, "Documentation: typo in the installation guide", "It says instal."),
  issue(5, "Release 2.0.0", "Checklist for the release."),
];

async function withIndex(use: (index: IssueIndex) => void, issues = TRACKER): Promise<void> {
  await using home = await temporaryDirectory();
  const index = await openIssueIndex(join(home.path, "index.sqlite"), systemClock);
  try {
    index.put(issues);
    use(index);
  } finally {
    index.close();
  }
}

const found = (index: IssueIndex, query: IssueText): number[] =>
  index.similar(query, 3).map(({ number }) => number);

test.each([
  ["the same words in another order", issue(9, "Empty configuration file leads to a crash"), 1],
  ["an identifier written as words", issue(9, "Query string lost in parse url path"), 3],
  [
    "a matching title above a long unrelated log",
    issue(9, "Dark theme", "at frame (file.js:1)\n".repeat(200)),
    2,
  ],
  ["another form of the same word", issue(9, "Crashing with empty configuration files"), 1],
])("the index ranks the earlier report first for %s (D1)", async (_, query, expected) => {
  await withIndex((index) => expect(found(index, query)[0]).toBe(expected));
});

test.each([
  ["Chinese", "导入大文件时程序崩溃", "深色模式下按钮看不清", "程序导入大文件后崩溃"],
  [
    "Japanese",
    "大きなファイルを読み込むとクラッシュする",
    "ダークモードで文字が見えない",
    "ファイルが大きいと読み込み時にクラッシュ",
  ],
  ["Thai", "โปรแกรมค้างเมื่อเปิดไฟล์ขนาดใหญ่", "ปุ่มมองไม่เห็นในโหมดมืด", "เปิดไฟล์ขนาดใหญ่แล้วโปรแกรมค้าง"],
  ["Hindi", "बड़ी फ़ाइल खोलने पर प्रोग्राम बंद", "गहरे रंग में बटन नहीं दिखता", "प्रोग्राम बंद, बड़ी फ़ाइल"],
])("the index ranks an earlier report in %s first (D1)", async (_, report, other, query) => {
  await withIndex(
    (index) => expect(found(index, issue(9, query))[0]).toBe(6),
    [...TRACKER, issue(6, report), issue(7, other)],
  );
});

test("a clause in a script without spaces is searched by its pairs of characters, and the words beside it as usual (D1, D2)", async () => {
  await withIndex(
    (index) => {
      const [best] = offerCandidates(index, issue(9, "打开README.md文件时程序突然崩溃"), 1);
      expect(best?.number).toBe(6);
      expect(best?.why.words).toEqual(expect.arrayContaining(["readme.md", "程序", "崩溃"]));
    },
    [...TRACKER, issue(6, "程序崩溃:README.md"), issue(7, "深色模式下按钮看不清")],
  );
});

test("a word keeps the marks of its vowels (D1, D2)", async () => {
  await withIndex(
    (index) => {
      const [best] = offerCandidates(index, issue(9, "फ़ाइल"), 1);
      expect(best?.why.words).toEqual(["फ़ाइल".normalize("NFKC")]);
    },
    [issue(6, "बड़ी फ़ाइल")],
  );
});

test("the index offers only issues with smaller numbers than the query's (D1)", async () => {
  await withIndex((index) => {
    expect(found(index, issue(3, "Add a dark theme"))).toContain(2);
    expect(found(index, issue(2, "Add a dark theme"))).not.toContain(2);
    expect(found(index, issue(1, "Add a dark theme"))).toEqual([]);
  });
});

test("the index names the words that two issues share, rarest first (D2)", async () => {
  await withIndex((index) => {
    const [best] = index.similar(issue(9, "Crash: configuration file is empty"), 1);
    expect(best?.shared).toEqual(expect.arrayContaining(["crash", "configur", "file", "empti"]));
  });
});

test("the index stores the stack frames and error names of an issue (D2)", async () => {
  const failing = issue(
    6,
    "Crash",
    "TypeError: x is undefined\n    at readConfig (src/config.js:3:1)\n    at main (cli.js:9:2)",
  );
  await withIndex((index) => {
    index.put([failing]);
    expect(index.fingerprints(6)).toEqual({
      frames: ["readConfig", "main"],
      errors: ["TypeError", "typeerror x is undefined"],
    });
    expect(index.fingerprints(99)).toBeNull();
  });
});

test("issues that are written together are found as if each had been written separately (D4)", async () => {
  await using home = await temporaryDirectory();
  const alone = await openIssueIndex(join(home.path, "alone.sqlite"), systemClock);
  const query = issue(9, "parse url path crashes", "the configuration file");
  try {
    for (const one of TRACKER) alone.put([one]);
    await withIndex((together) => expect(together.similar(query, 5)).toEqual(alone.similar(query, 5)));
    alone.put([issue(2, "A dark mode"), issue(2, "A night mode"), issue(3, "Nothing")]);
    expect([alone.size(), alone.find(2)?.title]).toEqual([TRACKER.length, "A night mode"]);
    expect(found(alone, issue(9, "dark theme"))).not.toContain(2);
  } finally {
    alone.close();
  }
});

test("putting an issue again replaces its old text (D1)", async () => {
  await withIndex((index) => {
    index.put([issue(2, "Support right-to-left text", "Arabic and Hebrew.")], "2026-01-01");
    expect(index.size()).toBe(TRACKER.length);
    expect(index.cursor()).toBe("2026-01-01");
    expect(found(index, issue(9, "Add a dark theme"))).not.toContain(2);
    expect(found(index, issue(9, "right-to-left text is broken"))[0]).toBe(2);
  });
});

test("an index that was built issue by issue, or whose issues were replaced, finds the same as one built at once (D1, D4)", async () => {
  const word = fc.constantFrom(
    "crash",
    "config",
    "file",
    "parseUrl",
    "theme",
    "socket",
    "timeout",
    "x.y",
    "Ωmega",
  );
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }),
      text,
      fc.nat(7),
      async (texts, query, again) => {
        const issues = texts.map(([title, body], at) => issue(at + 1, title, body));
        const asked = issue(99, query);
        let whole: unknown;
        await withIndex((index) => (whole = found(index, asked)), issues);
        await using home = await temporaryDirectory();
        const index = await openIssueIndex(join(home.path, "index.sqlite"), systemClock);
        for (const one of issues) index.put([one]);
        const replaced = issues[again % issues.length];
        if (replaced !== undefined) index.put([{ ...replaced, title: "something else" }]);
        if (replaced !== undefined) index.put([replaced]);
        expect(new Set(found(index, asked))).toEqual(new Set(whole as number[]));
        expect(found(index, asked)).toEqual(found(index, asked));
        index.close();
      },
    ),
    { numRuns: 15 },
  );
});

test("an index keeps its content when it is closed and reopened (D4)", async () => {
  await using home = await temporaryDirectory();
  const path = join(home.path, "index.sqlite");
  const first = await openIssueIndex(path, systemClock);
  first.put(TRACKER, "cursor");
  first.close();
  const second = await openIssueIndex(path, systemClock);
  expect([second.size(), second.cursor(), found(second, issue(9, "empty configuration file"))[0]]).toEqual([
    TRACKER.length,
    "cursor",
    1,
  ]);
  second.close();
});

test.each([
  ["an empty issue", issue(9, "", "")],
  ["punctuation and quotes only", issue(9, `"' OR ) *`, '"""" AND NOT ^')],
  ["a NUL and lone surrogates", issue(9, "crash \u0000 \ud800", "\udfff config")],
  ["a body of a megabyte", issue(9, "crash", "config ".repeat(150_000))],
  ["Chinese and Arabic", issue(9, "配置文件为空时崩溃", "تعطل عند وجود ملف فارغ")],
])("the index accepts %s as a query and as an issue (D1)", async (_, odd) => {
  await withIndex((index) => {
    expect(() => index.similar(odd, 5)).not.toThrow();
    index.put([odd]);
    expect(index.size()).toBe(TRACKER.length + 1);
    expect(() => index.similar({ ...odd, number: 10 }, 5)).not.toThrow();
  });
});
