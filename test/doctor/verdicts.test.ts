import { expect, test } from "vitest";
import type { DoctorCheck } from "../../src/doctor/doctor-check.ts";
import { programMissing } from "../../src/triage/triage-agents/index.ts";
import {
  judgeCredential,
  judgeLabels,
  judgePermissions,
  judgeRepository,
} from "../../src/doctor/judge-github.ts";
import {
  judgeClock,
  judgeEnvironment,
  judgeGit,
  judgeHome,
  judgeMarkerKey,
  judgeParallelism,
} from "../../src/doctor/judge-machine.ts";
import { TESTED_VERSIONS } from "../../src/tui/index.ts";
import { judgeTemplate, judgeTriageAgent } from "../../src/doctor/judge-triage-agent.ts";
import type { CredentialFacts, RepositoryAccess } from "../../src/github/index.ts";

const NOW = Date.parse("2026-11-22T00:00:00Z");
const repo = "octo/widgets";

const credential = (change: Partial<CredentialFacts> = {}): CredentialFacts => ({
  kind: "fine-grained",
  login: "bot",
  scopes: null,
  expiresAt: null,
  serverTimeMs: NOW,
  ...change,
});

const access = (change: Partial<RepositoryAccess> = {}): RepositoryAccess => ({
  isPrivate: false,
  isArchived: false,
  hasIssues: true,
  canTriage: true,
  mayReadContents: "granted",
  mayWriteIssues: "granted",
  ...change,
});

/** Matches the message and the remedy as one text: `message | remedy`. */
function check(judged: DoctorCheck, status: DoctorCheck["status"], says: RegExp): void {
  expect({ ...judged, status }).toEqual(judged);
  const text = `${judged.message} | ${judged.remedy ?? ""}`;
  expect(text).toMatch(says);
  expect(text).not.toContain("\n");
  expect(judged.remedy === null).toBe(status === "ok" || status === "skip");
}

test("doctor checks the machine: git, variables, parallelism, key, home, clock", () => {
  const rows: [DoctorCheck, DoctorCheck["status"], RegExp][] = [
    [judgeGit("git version 2.39.5 (Apple Git-154)"), "ok", /^2\.39\.5/],
    [judgeGit("git version 2.30.2"), "warn", /2\.31 or later.*Install git/],
    [judgeGit("hello"), "failed", /printed "hello"/],
    [judgeEnvironment([]), "ok", /variables are valid/],
    [
      judgeEnvironment([
        { name: "A", problem: "x" },
        { name: "B", problem: "y" },
      ]),
      "failed",
      /A: x; B: y .*unset A B$/,
    ],
    [judgeParallelism({ parallelism: 5, provider: "coder", processors: 1 }), "ok", /5/],
    [judgeParallelism({ parallelism: 51, provider: "coder", processors: 1 }), "warn", /quota/],
    [judgeParallelism({ parallelism: 4, provider: "local", processors: 2 }), "ok", /4/],
    [judgeParallelism({ parallelism: 5, provider: "local", processors: 2 }), "warn", /TRIAGE_PARALLELISM=2$/],
    [judgeMarkerKey(null, 16), "warn", /unsigned.*openssl rand/],
    [judgeMarkerKey(15, 16), "failed", /15 characters.*openssl rand/],
    [judgeMarkerKey(16, 16), "ok", /signed/],
    [judgeHome({ directory: "/h", mode: 0o40700 }), "ok", /private/],
    [judgeHome({ directory: "/h", mode: 0o40750 }), "warn", /mode 750.*chmod 700 \/h$/],
    [judgeClock(null), "skip", /did not say/],
    [judgeClock(-30_000), "ok", /agrees/],
    [judgeClock(31_000), "warn", /31 s ahead of.*timedatectl/],
    [judgeClock(-301_000), "failed", /301 s behind/],
  ];
  for (const row of rows) check(...row);
});

test("doctor checks the GitHub credential, its permissions, and the repository", () => {
  const classic = (...scopes: string[]) => credential({ kind: "classic", scopes });
  const rows: [DoctorCheck, DoctorCheck["status"], RegExp][] = [
    [judgeCredential(credential(), NOW), "ok", /bot, by a fine-grained token/],
    [
      judgeCredential(credential({ expiresAt: "2026-11-28 00:00:00 UTC" }), NOW),
      "warn",
      /expires at 2026-11-28/,
    ],
    [judgeCredential(credential({ expiresAt: "2026-12-28 00:00:00 UTC" }), NOW), "ok", /bot/],
    [
      judgeRepository(repo, access({ isArchived: true })),
      "failed",
      /archived.*gh repo unarchive octo\/widgets$/,
    ],
    [judgeRepository(repo, access({ hasIssues: false })), "failed", /turned off.*--enable-issues$/],
    [judgeRepository(repo, access({ isPrivate: true })), "ok", /private, with issues/],
    [judgePermissions(repo, classic("repo"), access({ isPrivate: true })), "ok", /octo\/widgets/],
    [judgePermissions(repo, classic("public_repo"), access()), "ok", /octo\/widgets/],
    [
      judgePermissions(repo, classic("public_repo"), access({ isPrivate: true })),
      "failed",
      /needs repo .*--scopes repo\)/,
    ],
    [judgePermissions(repo, classic(), access()), "failed", /has no scope, and needs public_repo/],
    [
      judgePermissions(repo, credential(), access({ canTriage: false })),
      "failed",
      /bot may not label.*role Triage/,
    ],
    [judgePermissions(repo, credential(), access({ canTriage: null })), "ok", /octo\/widgets/],
    [
      judgePermissions(repo, credential(), access({ mayWriteIssues: "refused" })),
      "failed",
      /token.*Issues: read and write/,
    ],
    [
      judgePermissions(repo, credential({ kind: "app" }), access({ mayReadContents: "refused" })),
      "failed",
      /App.*Contents: read-only/,
    ],
    [
      judgePermissions(repo, credential({ kind: "installation" }), access({ mayWriteIssues: "refused" })),
      "failed",
      /issues: write$/,
    ],
    [judgePermissions(repo, credential(), access({ mayWriteIssues: "unknown" })), "warn", /does not say/],
    [judgeLabels(repo, ["bug", "needs-triage"], ["Bug", "needs-triage", "x"]), "ok", /all 2/],
    [
      judgeLabels(repo, ["bug", "needs-triage"], ["bug"]),
      "failed",
      /no needs-triage .*afk-triage init --repo octo\/widgets --only labels --yes$/,
    ],
  ];
  for (const row of rows) check(...row);
});

test("doctor reports the TUI version, lists the tested versions, and warns about other versions (A34, H7)", () => {
  const name = "claude-code (tui)";
  const local = (version: string | null) =>
    judgeTriageAgent({ place: "local", name, problem: null, tui: { tool: "claude", version } });
  const newest = TESTED_VERSIONS.claude.at(-1) ?? "";
  check(local(newest), "ok", new RegExp(`claude ${newest} on this machine: tested; .*2\\.1\\.197`));
  check(local("2.1.200"), "ok", /between tested versions/);
  check(local("2.1.100"), "warn", /claude 2\.1\.100 .*not tested.*Install claude/);
  check(local("3.0.0"), "warn", /not tested/);
  check(local(null), "ok", /No version of claude was seen/);
  const coder = (version: string) =>
    judgeTriageAgent({ place: "coder", name, tui: { tool: "claude", version } });
  check(coder(newest), "skip", /in the last Coder workspace seen: tested/);
  check(coder("3.0.0"), "warn", /in the last Coder workspace seen: not tested/);
});

test("doctor checks the Triage Agent on this machine and in a Coder template (A34)", () => {
  const name = "claude-code (print)";
  check(judgeTriageAgent({ place: "local", name, tui: null, problem: null }), "ok", /can start here/);
  check(
    judgeTriageAgent({ place: "local", name, tui: null, problem: programMissing("claude") }),
    "failed",
    /with --provider local the Triage Agent cannot start: there is no program claude on its PATH\b(?!.*Coder workspace).*npm install/,
  );
  check(
    judgeTriageAgent({ place: "coder", name, tui: null }),
    "skip",
    /can be checked only in a Coder workspace/,
  );
  check(judgeTemplate("triage", []), "ok", /triage/);
  check(judgeTemplate("triage", ["no parameter run_id"]), "warn", /run_id.*docs\/coder\.md/);
});
