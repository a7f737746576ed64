import { expect, test } from "vitest";
import { namedAnswers } from "../../src/evidence/index.ts";
import { HEARD } from "./heard.ts";

test("the places where a script prints another value beside an answer are data, those of the claimed text first (V2)", () => {
  const output =
    "ok actual=ab expected=ab\nfine\nMISMATCH actual=12 expected=34\nX: wrong\n  ours deadbeef\n  node feedface";
  const { data = [] } =
    namedAnswers("f(g())", "MISMATCH", { ...HEARD, output }).find(({ only }) => only === "said") ?? {};
  const places = data.map((one) => JSON.parse(one) as { words: string[]; wanted: string[] });
  expect(places[0]).toMatchObject({ wanted: ["34"] });
  expect(places[0]?.words).toContain("12");
  expect(places[0]?.words).not.toContain("");
  expect(places.map(({ words }) => words[0])).toEqual(["MISMATCH", "ok", "MISMATCH", "ok", "fine"]);
});

test.each([
  ["expected -33 to strictly equal -39", "-33", "-39"],
  ["url-parse: c@d, WHATWG: d", "c@d", "d"],
  ["ours=1.50 theirs=1.5", "1.50", "1.5"],
  ["WHATWG: d, url-parse: c@d", "c@d", "d"],
  ["a_b <> aB", "a_b", "aB"],
  ["2,3c2,3\n< x\n< b c\n---\n> y\n> b_c", "b_c", "b c"],
  ["5c5\n< pb 1024\n---\n> pb null", "null", "1024"],
])("in the output %j, the value beside the answer %s is the expected one (V2)", (line, answer, expected) => {
  const { data = [] } =
    namedAnswers("f(g())", line, { ...HEARD, output: line }).find(({ only }) => only === "said") ?? {};
  const places = data.map((one) => JSON.parse(one) as { words: string[]; wanted: string[] });
  const place = places.find(({ words, wanted }) => words.includes(answer) && !wanted.includes(answer));
  expect(place?.wanted[0]).toBe(expected);
});

test("an empty answer that a script prints in quotes is found beside the value of another implementation (V2)", () => {
  const output = '= {"reference":"a.b","mine":"a.b"}\n! {"reference":"x.y","mine":""}';
  const said = namedAnswers("f() !== g()", null, { ...HEARD, output }).find(({ only }) => only === "said");
  expect(JSON.parse(said?.data?.find((one) => one.includes('""')) ?? "null")).toMatchObject({
    words: expect.arrayContaining(["x.y", ""]) as string[],
    wanted: ["x.y"],
  });
});
