/**
 * The third-party actions that may run here, each pinned to one reviewed commit: a tag can be moved, a commit cannot. `inputs`
 * are those of the action's own action.yml at that version. CONTRIBUTING.md says how to update them.
 */
export interface PinnedAction {
  commit: string;
  version: string;
  inputs: readonly string[];
}

export const PINNED_ACTIONS: Readonly<Record<string, PinnedAction>> = {
  "actions/checkout": {
    commit: "de0fac2e4500dabe0009e67214ff5f5447ce83dd",
    version: "v6.0.2",
    inputs: ["repository", "ref", "token", "persist-credentials", "path", "fetch-depth", "fetch-tags"],
  },
  "actions/cache/restore": {
    commit: "9255dc7a253b0ccc959486e2bca901246202afeb",
    version: "v5.0.1",
    inputs: ["path", "key", "restore-keys", "fail-on-cache-miss", "lookup-only"],
  },
  "actions/cache/save": {
    commit: "9255dc7a253b0ccc959486e2bca901246202afeb",
    version: "v5.0.1",
    inputs: ["path", "key", "upload-chunk-size"],
  },
  "actions/setup-node": {
    commit: "53b83947a5a98c8d113130e565377fae1a50d02f",
    version: "v6.3.0",
    inputs: ["node-version", "node-version-file", "registry-url", "cache", "package-manager-cache"],
  },
  "actions/create-github-app-token": {
    commit: "bcd2ba49218906704ab6c1aa796996da409d3eb1",
    version: "v3.2.0",
    inputs: [
      "client-id",
      "private-key",
      "owner",
      "repositories",
      "permission-checks",
      "permission-contents",
      "permission-issues",
      "permission-pull-requests",
      "permission-statuses",
    ],
  },
  "actions/upload-artifact": {
    commit: "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f",
    version: "v7.0.0",
    inputs: [
      "name",
      "path",
      "if-no-files-found",
      "include-hidden-files",
      "retention-days",
      "compression-level",
      "overwrite",
    ],
  },
  "actions/download-artifact": {
    commit: "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c",
    version: "v8.0.1",
    inputs: ["name", "path", "pattern", "merge-multiple"],
  },
};
