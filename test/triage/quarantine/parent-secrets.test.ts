import { assert, constantFrom, integer, property, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { createCanaryDetector, parentSecrets, withoutRepositories } from "../../../src/triage/index.ts";
import { isSecretVariable } from "../../../src/triage/quarantine/index.ts";

const EXISTING = new Set(["/usr/bin", "/bin", "/opt/tool/config.json", "/tmp/ssh-1/agent.1"]);
const isPath = (path: string): boolean => EXISTING.has(path);

function check(name: string, value: string, expected: string[]): void {
  const values = parentSecrets({ [name]: value }, isPath).map((secret) => secret.value);
  expect({ name, value, secrets: values }).toEqual({ name, value, secrets: expected });
}

/** The public fields next to the secrets of a service account and of a principal. */
const PUBLIC_PARTS = JSON.stringify({
  type: "service_account",
  project_id: "octo-warehouse",
  client_email: "triage@octo-warehouse.iam.gserviceaccount.com",
  auth_uri: "https://accounts.google.com/o/oauth2/auth",
  auth_provider_x509_cert_url: "https://www.googleapis.com/oauth2/v1/certs",
  tenantId: "octo-tenant",
});

describe("every variable is a secret unless a rule says that it is public (S25)", () => {
  test.each<[string, string, string[]?]>([
    ["GITHUB_TOKEN", "ghp_abcdefgh"],
    ["WHATEVER", "canary-6b1f0c9e-plain"],
    ["AWS_SECRET_ACCESS_KEY", "/wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    ["BASE64", "//8AAQIDBAUGBwgJCgsMDQ4P"],
    ["STORAGE", "~/not-there-a1b2c3d4e5f6"],
    ["DB_PWD", "correcthorse"],
    ["PGPASSFILE_CONTENT", "hunter2hunter2"],
    [
      "AFK_TRIAGE_MARKER_KEY",
      "new-key-2026,old-key-2025",
      ["new-key-2026,old-key-2025", "new-key-2026", "old-key-2025"],
    ],
    ["DATABASE_URL", "postgres://me:s3cr%20t-word@db/x", ["s3cr t-word"]],
    [
      "SENTRY_DSN",
      "https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/123",
      ["0123456789abcdef0123456789abcdef"],
    ],
    ["HTTPS_PROXY", "me:pr0xy-pass-word@proxy.example.com:3128", ["pr0xy-pass-word"]],
    [
      "SLACK_HOOK",
      "https://hooks.slack.com/services/T000/B000/aB3dE5fG7hJ9kL1mN3pQ5rS7",
      ["aB3dE5fG7hJ9kL1mN3pQ5rS7"],
    ],
    ["BLOB", "https://a.blob.core.windows.net/c?sv=2022&sig=a1B2c3D4e5F6g7H8%2Fi9", ["a1B2c3D4e5F6g7H8/i9"]],
    ["SQL", "Server=db.example.com;User Id=reader;Password=p4ss-word-1;", ["p4ss-word-1"]],
    [
      "GCP",
      JSON.stringify({ type: "service_account", private_key_id: "a1b2c3d4e5f6a7b8c9d0" }),
      ["a1b2c3d4e5f6a7b8c9d0"],
    ],
    ["ID_TOKEN", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-1", ["c2lnbmF0dXJl-1"]],
  ])("%s=%s is watched", (name, value, expected = [value]) => check(name, value, expected));

  test.each<[string, string, string[]?]>([
    ["DB_PASSWORD", "Tr0ub4dor:x@3Kq9zLm2pW"],
    ["DB_PASSWORD", "p4ss=w0rd;Str0ng!Secret99"],
    ["DB_PASSWORD", "kq=Z8;vR3#mT0pLx"],
    ["API_KEYS", '["hunter2-hunter2","letmein-letmein1"]', ["hunter2-hunter2", "letmein-letmein1"]],
    ["API_KEYS", '{"alice":"hunterhunter","bob":{"value":837465920174}}', ["hunterhunter", "837465920174"]],
  ])("%s=%s is watched, though it has the form of something else", (name, value, expected = [value]) =>
    check(name, value, expected),
  );

  test.each<[string, string, string[]]>([
    ...["hunterhunter", "837465920174", "correct-horse"].map((word): [string, string, string[]] => [
      "DATABASE_URL",
      `postgres://app:${word}@db.internal/x`,
      [word],
    ]),
    ["AFK_TRIAGE_DATABASE_URL", "postgresql://app:hunterhunter@db.internal/fleet", ["hunterhunter"]],
    ["AFK_TRIAGE_DATABASE_URL", "postgresql:///fleet?host=db&password=hunterhunter", ["hunterhunter"]],
    ["REDIS_URL", "redis://:hunterhunter@cache:6379", ["hunterhunter"]],
    ["HTTPS_PROXY", "http://me:hunterhunter@proxy:8080", ["hunterhunter"]],
    ["HTTPS_PROXY", "me:hunterhunter@proxy:8080", ["hunterhunter"]],
    ["SQL", "Server=db.example.com;User Id=reader;Password=hunterhunter;", ["hunterhunter"]],
    ["SETTINGS", '{"db":{"password":"hunterhunter","name":"warehouse"}}', ["hunterhunter"]],
    ["SETTINGS", '{"db":{"url":"postgres://app:hunterhunter@db.internal/x"}}', ["hunterhunter"]],
    ["SETTINGS", '{"tokens":["hunterhunter"],"author":"some-person"}', ["hunterhunter"]],
  ])("%s=%s: a password in its usual place is watched, even if it is a single word", check);

  test("variables of a runner, and a path below the home directory, are not watched", () => {
    const runner = { RUNNER_NAME: "builder-a1b2c3d4e5f6", RUNNER_TRACKING_ID: "github_a1b2c3d4-e5f6" };
    expect(parentSecrets(runner, isPath)).toEqual([]);
    expect(parentSecrets({ STATE_FOLDER: "~/." })).toEqual([]);
    expect(parentSecrets({ STATE_FOLDER: "~/not-there-a1b2c3d4e5f6" })).not.toEqual([]);
  });

  test("lines of a key are watched, even if their ends are written as \\n", () => {
    const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
    const key = ["-----BEGIN PRIVATE KEY-----", line, "-----END PRIVATE KEY-----"];
    check("AFK_TRIAGE_APP_PRIVATE_KEY", key.join("\n"), [line]);
    check("AFK_TRIAGE_APP_PRIVATE_KEY", key.join(String.raw`\n`), [line]);
  });

  test("random base64 is watched under any name", () => {
    assert(
      property(
        uint8Array({ minLength: 15, maxLength: 48 }),
        constantFrom("X", "AWS_SECRET_ACCESS_KEY", "A_URL"),
        (bytes, name) => {
          const value = Buffer.from(bytes.map((byte, at) => byte ^ (at * 37))).toString("base64");
          expect(parentSecrets({ [name]: value }, isPath)).not.toEqual([]);
        },
      ),
    );
  });
});

test("a variable that names a repository that is triaged is not watched, and every other one is", () => {
  const named = { REPO: "octo/tidy-text", PROJECT: "Octo/Tidy-Text", MIRROR: "octo/other-text" };
  const secrets = withoutRepositories(parentSecrets(named, isPath), ["octo/tidy-text"]);
  expect(secrets.map(({ name }) => name)).toEqual(["MIRROR"]);
});

test("words in a variable without a secret's name match only as a whole", () => {
  const secrets = parentSecrets({ GREETING: "triage the issue and reproduce the bug" }, isPath);
  const canaries = createCanaryDetector(secrets);
  expect(canaries.find("please triage the issue and reproduce it")).toBeNull();
  expect(canaries.find("Triage the issue and reproduce the bug!")?.name).toBe("GREETING");
});

describe("public values, paths of this machine and trivial values are not secrets (S25)", () => {
  test.each([
    ["PATH", "/usr/bin:/bin:/not/there"],
    ["TOOL_CONFIG", "/opt/tool/config.json"],
    ["SEARCH", "/usr/bin:/bin"],
    ["GITHUB_SHA", "3f2a9c1b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a"],
    ["GIT_COMMIT", "3f2a9c1b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a"],
    ["GITHUB_API_URL", "https://api.github.com"],
    ["PROJECT", "https://github.com/octo/widgets-v2"],
    ["SSH_AUTH_SOCK", "/tmp/ssh-1/agent.1"],
    ["AFK_TRIAGE_TRUSTED_MARKER_AUTHORS", "maintainer-one,maintainer-two"],
    ["DESKTOP_SESSION", "gnome-xorg"],
    ["HOSTNAME", "runner-7f6d5c4b3a-x9z8y"],
    ["SOME_TOKEN", ""],
    ["SOME_PASSWORD", "true"],
    ["SOME_PASSWORD", "password"],
    ["MODE", "production"],
    ["TOOL_VERSION", "18.19.0-rc.1"],
    ["RELEASED", "2026-11-22"],
    ["LISTEN", "10.12.14.16:8080"],
    ["LC_ALL", "en_US.UTF-8"],
    ["PORT", "8080"],
    ["DATABASE_URL", "postgres://postgres:postgres@localhost:5432/test"],
    ["DATABASE_URL", "postgres://warehouse@db.internal/warehouse"],
    ["CREDENTIALS", PUBLIC_PARTS],
    ["AUTH_URL", "https://login.example.com/tenants/warehouse"],
  ])("%s=%s", (name, value) => check(name, value, []));

  test("a value that a public variable also has, such as the user's name, is not a secret", () => {
    const environment = { USER: "jonathan2026", DEPLOY_USER: "jonathan2026" };
    expect(parentSecrets(environment, isPath)).toEqual([]);
  });

  test("ordinary comments contain no secret of the environment of a runner or of this process", () => {
    const runner = {
      ...process.env,
      GITHUB_ACTIONS: "true",
      GITHUB_REPOSITORY: "octo/widgets",
      GITHUB_WORKFLOW_REF: "octo/widgets/.github/workflows/triage.yml@refs/heads/main",
      RUNNER_NAME: "GitHub Actions 1000000001",
      ImageOS: "ubuntu24",
      NODE_VERSION: "20.19.5",
      DEPLOY_ENVIRONMENT: "production",
      REGISTRY: "https://registry.npmjs.org/",
      FEATURES: "control-runs,bisect",
    };
    const canaries = createCanaryDetector(parentSecrets(runner));
    for (const text of ORDINARY) expect(canaries.find(text)).toBeNull();
    assert(
      property(integer({ min: 0, max: ORDINARY.length - 1 }), integer({ min: 0, max: 400 }), (at, from) => {
        expect(canaries.find((ORDINARY[at] ?? "").slice(from).repeat(3))).toBeNull();
      }),
    );
  });
});

const ORDINARY = [
  "widget() throws a TypeError on an empty list in production since 20.19.5 on ubuntu24; see src/widget.mjs:12 and octo/widgets.",
  "Reproduced in 3 of 3 runs on main (3f2a9c1b7d6e) with npm ci && npm test in /usr/bin/node. Expected: exit code 0. Actual: exit code 1.",
  "The feature flags control-runs and bisect are enabled; the registry is https://registry.npmjs.org/ and the runner GitHub Actions.",
  "sha512-9qv0o2Yk3n1f6YpZ1e0m3xk2r7bq8s5t4u6v7w8x9y0zAaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUu== in package-lock.json",
];

test("a variable with a plain word is shown, and one that is named like a secret is not (S25)", () => {
  expect(isSecretVariable("FAVOURITE", "green")).toBe(false);
  expect(isSecretVariable("DB_PWD", "x")).toBe(true);
  expect(isSecretVariable("FAVOURITE", "canary-6b1f0c9e-plain")).toBe(true);
});
