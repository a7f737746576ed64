import { expect, test } from "vitest";
import { looksLikeSecurityReport } from "../../../src/triage/index.ts";

const flags = (body: string, title = "It breaks"): boolean =>
  looksLikeSecurityReport({ title, body, labels: [] }, []);

test("a label that names security counts by itself (S16)", () => {
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

test("what two sentences tell together counts, also with a denial between them (S16)", () => {
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
])("one concept alone says nothing: %s (S16)", (body) => expect(flags(body)).toBe(false));
