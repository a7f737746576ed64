import { expect, test } from "vitest";
import { parentSecrets } from "../../../src/triage/index.ts";

function check(name: string, value: string, expected: string[]): void {
  expect({ name, secrets: parentSecrets({ [name]: value }).map((secret) => secret.value) }).toEqual({
    name,
    secrets: expected,
  });
}

test("S8: what counts as a secret of the parent's environment", () => {
  check("GITHUB_TOKEN", "ghp_abcdefgh", ["ghp_abcdefgh"]);
  check("CODER_SESSION_TOKEN", "abcdefghij-0123456789", ["abcdefghij-0123456789"]);
  check("MY_VENDOR_SECRET", "hunter2hunter2", ["hunter2hunter2"]);
  check("AFK_CANARY", "canary-7d1e", ["canary-7d1e"]);
  check("AFK_TRIAGE_MARKER_KEY", "new-key-2026,old-key-2025", [
    "new-key-2026,old-key-2025",
    "new-key-2026",
    "old-key-2025",
  ]);
  check("WHATEVER", "canary-6b1f0c9e-plain", ["canary-6b1f0c9e-plain"]);
  check("DATABASE_URL", "postgres://me:s3cr%20t-word@db/x", ["s3cr t-word"]);
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
  const key = ["-----BEGIN PRIVATE KEY-----", line, "-----END PRIVATE KEY-----"];
  check("AFK_TRIAGE_APP_PRIVATE_KEY", key.join("\n"), [line]);
  check("AFK_TRIAGE_APP_PRIVATE_KEY", key.join(String.raw`\n`), [line]);
  check("ID_TOKEN", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-1", ["c2lnbmF0dXJl-1"]);
});

test("S8: what is public, a place or a word is none", () => {
  for (const [name, value] of [
    ["PATH", "/usr/bin:/bin"],
    ["GITHUB_SHA", "3f2a9c1b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a"],
    ["GIT_COMMIT", "3f2a9c1b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a"],
    ["GITHUB_API_URL", "https://api.github.com"],
    ["SSH_AUTH_SOCK", "/tmp/ssh-1/agent.1"],
    ["AFK_TRIAGE_TRUSTED_MARKER_AUTHORS", "maintainer-one,maintainer-two"],
    ["GIT_AUTHOR_NAME", "A. Person"],
    ["DESKTOP_SESSION", "gnome-xorg"],
    ["HOSTNAME", "runner-7f6d5c4b3a-x9z8y"],
    ["SOME_TOKEN", ""],
    ["SOME_PASSWORD", "true"],
  ] as const)
    check(name, value, []);
});
