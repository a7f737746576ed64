import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { fileNamed } from "./workflow-files.ts";

const PUBLISH = stepWith("release.yml", "publish", "npm publish");
const PREPARE = stepWith("release-prep.yml", "prepare", "gh pr create");

function stepWith(file: string, job: string, text: string): string {
  const steps = fileNamed(`.github/workflows/${file}`).document.jobs?.[job]?.steps;
  return steps?.find(({ run }) => run?.includes(text))?.run ?? "exit 99";
}

/** Runs the publishing step with an npm that only records its arguments. */
async function publish(tag: string, alreadyPublished: string): Promise<string[]> {
  await using directory = await temporaryDirectory();
  const path = (name: string): string => join(directory.path, name);
  await mkdir(path("packed"));
  await writeFile(path("packed/afk-triage-1.2.3.tgz"), "");
  await writeFile(path("asked"), "");
  await writeFile(
    path("npm"),
    `#!/bin/sh\necho "$*" >>asked\n[ "$1" = publish ] || echo "${alreadyPublished}"\n`,
  );
  await chmod(path("npm"), 0o755);
  await execa("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", PUBLISH], {
    cwd: directory.path,
    env: { PATH: `${directory.path}:${process.env["PATH"]}`, GITHUB_REF_NAME: tag },
  });
  return (await readFile(path("asked"), "utf8")).trim().split("\n");
}

const FLAGS = "--provenance --access public";

test.each<[string, string, string[]]>([
  [
    "v1.2.3",
    "",
    [
      "view afk-triage@1.2.3 version",
      `publish ./packed/afk-triage-1.2.3.tgz ${FLAGS} --tag latest --ignore-scripts`,
    ],
  ],
  [
    "v2.0.0-rc.1",
    "",
    [
      "view afk-triage@2.0.0-rc.1 version",
      `publish ./packed/afk-triage-1.2.3.tgz ${FLAGS} --tag next --ignore-scripts`,
    ],
  ],
  ["v1.2.3", "1.2.3", ["view afk-triage@1.2.3 version"]],
])("the pipeline handles the tag %s when the registry knows [%s] (A25)", async (tag, published, asked) => {
  expect(await publish(tag, published)).toEqual(asked);
});

test("the prepared branch becomes the pull request that `release prep` describes (A23)", async () => {
  await using directory = await temporaryDirectory();
  const path = (name: string): string => join(directory.path, name);
  const pullRequest = {
    title: "Release $(id) 1.2.3",
    base: "main",
    head: "release/1.2.3",
    bodyFile: "/x/pull request.md",
  };
  await mkdir(path("dist"));
  await writeFile(
    path("dist/afk-triage.js"),
    `console.log(${JSON.stringify(JSON.stringify({ pullRequest }))})`,
  );
  for (const program of ["gh", "git"]) {
    await writeFile(path(program), `#!/bin/sh\nprintf '[%s]' ${program} "$@" >>asked\necho >>asked\n`);
    await chmod(path(program), 0o755);
  }
  const prepare = async (): Promise<string[]> => {
    await writeFile(path("asked"), "");
    await execa("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", PREPARE], {
      cwd: directory.path,
      env: { PATH: `${directory.path}:${process.env["PATH"]}`, SUMMARY: path("prep.json") },
    });
    return (await readFile(path("asked"), "utf8")).trim().split("\n");
  };
  const asked = await prepare();
  expect(asked.at(-1)).toBe(
    "[gh][pr][create][--base][main][--head][release/1.2.3][--title][Release $(id) 1.2.3][--body-file][/x/pull request.md]",
  );
  expect(asked).toContain("[gh][auth][setup-git]");
  // Prepared again while that pull request is open, so that no pull request has to be opened.
  await writeFile(
    path("gh"),
    `#!/bin/sh\nprintf '[%s]' gh "$@" >>asked\necho >>asked\n[ "$2" != view ] || echo OPEN\n`,
  );
  expect((await prepare()).at(-1)).toBe("[gh][pr][view][release/1.2.3][--json][state][--jq][.state]");
});
