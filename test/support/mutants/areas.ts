/** The files of one defence of the product, and the fast tests that must detect a change in them. */
export interface MutantArea {
  /** Folders (ending in `/`) and files of the sources. */
  sources: readonly string[];
  /** Folders and files of tests, in the form that vitest accepts. */
  tests: readonly string[];
}

const PUBLISHED_TEXT = [
  "test/github/plain-text.test.ts",
  "test/github/published-text.test.ts",
  "test/github/sanitise-inbound.test.ts",
  "test/github/secrets.test.ts",
  "test/github/encoded-tokens.test.ts",
  "test/github/rendered-comments.test.ts",
  "test/attacks/hardening.test.ts",
];

export const mutantAreas: Readonly<Record<string, MutantArea>> = {
  policy: {
    sources: ["src/triage/policy/", "src/triage/eligibility/", "src/triage/batch/screen-issue.ts"],
    tests: [
      "test/triage/policy.test.ts",
      "test/triage/policy-security.test.ts",
      "test/triage/policy-wontfix.test.ts",
      "test/triage/comment.test.ts",
      "test/triage/eligibility.test.ts",
      "test/triage/eligibility-conformance.test.ts",
      "test/triage/named-mutants.test.ts",
      "test/triage/select-candidates.test.ts",
      "test/triage/may-retry.test.ts",
      "test/triage/waiting-since.test.ts",
      "test/triage/publication.test.ts",
    ],
  },
  "vulnerability-rule": {
    sources: ["src/triage/security-signs/"],
    tests: ["test/triage/security-signs/", "test/triage/policy-security.test.ts"],
  },
  publication: {
    sources: ["src/triage/publication/"],
    tests: [
      "test/triage/publication.test.ts",
      "test/triage/undo/",
      "test/triage/batch/repair.test.ts",
      "test/triage/batch/changed-world.test.ts",
    ],
  },
  markers: {
    sources: ["src/github/markers.ts", "src/github/triage-notes.ts"],
    tests: [
      "test/github/markers.test.ts",
      "test/triage/eligibility.test.ts",
      "test/triage/publication.test.ts",
    ],
  },
  sanitising: {
    sources: [
      "src/github/closing-references.ts",
      "src/github/hidden-entities.ts",
      "src/github/hidden-gfm.ts",
      "src/github/hidden-nodes.ts",
      "src/github/hidden-text.ts",
      "src/github/invisible-characters.ts",
      "src/github/markdown.ts",
      "src/github/plain-text.ts",
      "src/github/published-line.ts",
      "src/github/published-markdown.ts",
      "src/github/published-text.ts",
      "src/github/sanitise-inbound.ts",
      "src/github/text-blocks.ts",
      "src/github/text-edits.ts",
      "src/github/undisguised.ts",
      "src/github/visible-html.ts",
    ],
    tests: PUBLISHED_TEXT,
  },
  secrets: {
    sources: [
      "src/github/encoded-secrets.ts",
      "src/github/secret-shapes.ts",
      "src/github/secrets.ts",
      "src/github/split-secrets.ts",
      "src/triage/quarantine/",
    ],
    tests: [...PUBLISHED_TEXT, "test/triage/quarantine/"],
  },
  access: {
    sources: ["src/board/server/access.ts", "src/github/octokit/sign-in.ts"],
    tests: [
      "test/board/access.test.ts",
      "test/board/control.test.ts",
      "test/github/access.test.ts",
      "test/github/github-app.test.ts",
    ],
  },
  reaper: {
    sources: ["src/workspaces/reaper.ts"],
    tests: ["test/workspaces/reaper.test.ts"],
  },
  deletion: {
    sources: ["src/workspaces/coder/deletion.ts"],
    tests: ["test/workspaces/coder-destroy.test.ts"],
  },
  tracker: {
    sources: ["src/tui/tracker/"],
    tests: ["test/tui/tracker/"],
  },
};
