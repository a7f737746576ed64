import { expect, test } from "vitest";
import { looksLikeSecurityReport } from "../../../src/triage/index.ts";

const flags = (body: string, title = "It breaks"): boolean =>
  looksLikeSecurityReport({ title, body, labels: [] }, []);

test("a label that names security is sufficient (S16)", () => {
  const issue = { title: "It breaks", body: "It does." };
  expect(looksLikeSecurityReport({ ...issue, labels: ["security"] }, [])).toBe(true);
  expect(looksLikeSecurityReport({ ...issue, labels: ["bug"] }, [])).toBe(false);
});

test("a word at the beginning of a line counts (S16)", () => {
  expect(flags("After some tries I came to a\nvulnerability")).toBe(true);
});

test("a line about an update counts, unless the report is about an audit of dependencies (S16)", () => {
  expect(flags("Since the update there is a vulnerability in the login.")).toBe(true);
  expect(flags("Since the update there is a vulnerability in the login.", "npm audit fails")).toBe(false);
});

test("the end of a very long sentence counts (S16)", () => {
  expect(flags(`${"and then it goes on ".repeat(120)} I can see other users' invoices`)).toBe(true);
});

test("a sign across two sentences counts, even with a denial between them (S16)", () => {
  expect(flags("I changed the number in the address. The order belongs to another customer.")).toBe(true);
  expect(
    flags(
      "I changed the number in the address. I couldn't do it twice. The order belongs to another customer.",
    ),
  ).toBe(true);
});

test.each([
  "A stranger may read my calendar.",
  "The number in the address is long.",
  "Another customer has asked for it.",
  "The server crashes at the start.",
  "The password is in the vault.",
  "A normal user opens the page.",
  "The archive has two folders.",
])("a single concept is not a sign: %s (S16)", (body) => expect(flags(body)).toBe(false));

test.each([
  "A key named __proto__ in the merged options reaches Object.prototype.",
  "With constructor.prototype.flag as path, set() still writes to the global prototype",
  "merge() follows __proto__ and so changes all objects of the process.",
  "constructor.prototype as a column name is just as dangerous",
  "A long value from a request header stalls the event loop.",
  "One string of blanks in a query string blocks the whole process",
])("plain words for prototype pollution or an input that stops the process count (S16): %s", (body) => {
  expect(flags(body)).toBe(true);
});

test.each([
  "The copy's __proto__ is Object.prototype instead of Point.prototype.",
  "for..in also lists __proto__ when the object was made with Object.create(null)",
  "kindOf reads constructor.prototype and throws when it is undefined",
  "Reading a large file with readFileSync blocks the event loop; please offer a promise",
  "The parser hangs on a long comment",
])("an everyday report with the same words does not count (S16): %s", (body) => {
  expect(flags(body)).toBe(false);
});
