import { expect, test } from "vitest";
import { shownSign } from "../../../src/triage/security-signs/shown-signs.ts";

const signIn = (sentences: readonly string[]): string | null =>
  shownSign(sentences.map((sentence) => sentence.toLowerCase()));

test.each([
  ["data-of-others", ["The list shows the orders of another customer."]],
  ["data-of-others", ["I changed the number in the address.", "The page does not belong to me."]],
  ["data-of-others", ["Anybody on the guest network can look at the cameras."]],
  ["access-kept", ["A removed member can still read the channel."]],
  ["entry-without-login", ["I leave the password field alone, with no password.", "It lets me in."]],
  ["entry-without-login", ["I open the address in a private window.", "The page opens."]],
  ["forgery-accepted", ["The hook is called with a random signature.", "The call answers with 200."]],
  ["credentials-shown", ["The access token is written into the debug log."]],
  ["rights-gained", ["As a viewer I open the menu.", "I can delete it."]],
  ["rights-gained", ["The role is never checked on the server."]],
  ["files-of-the-machine", ["With dots it shows any file of the server."]],
  [
    "files-of-the-machine",
    ["The archive has an entry with two dots.", "A file above the folder was overwritten."],
  ],
  ["script-in-a-browser", ["My nickname has a tag.", "The javascript in it is run."]],
  ["code-run", ["A comment has a quote.", "The command runs for everybody."]],
] as const)("%s is shown by: %j (S16)", (sign, sentences) => {
  expect(signIn(sentences)).toBe(sign);
});

test("parts of a sign in two non-adjacent sentences do not match (S16)", () => {
  const [one, other] = ["I changed the number in the address.", "The page does not belong to me."];
  expect(signIn([one, "Then I had a coffee.", other])).toBeNull();
});

test("a sign that must be in one sentence does not match across two (S16)", () => {
  expect(signIn(["It is about the orders of another customer.", "A page shows up."])).toBeNull();
});
