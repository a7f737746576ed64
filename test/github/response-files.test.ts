import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import { createOctokitGithub, type GithubReader, openResponseFiles } from "../../src/github/index.ts";
import { API, comment, ISSUE, ref, serve, signal, useHttpGithub } from "../support/github/http-github.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

useHttpGithub();
const ids = systemIds(systemClock);
const ETAG = { etag: 'W/"1"', "set-cookie": "a=b" };

/** Stands for a new process: its memory is empty, and it has the files of the previous process. */
async function started(directory: string): Promise<GithubReader> {
  return createOctokitGithub({
    apiUrl: API,
    credential: { type: "token", token: "t" },
    userAgent: "test",
    clock: systemClock,
    pacing: "none",
    responses: await openResponseFiles(directory, ids),
  }).reader;
}

/** Returns the `If-None-Match` header of the second process after the first process received `body`. */
async function askedAgain(
  body: string,
  between: (file: string) => Promise<void> = async () => {},
): Promise<string | null> {
  await using directory = await temporaryDirectory();
  const { requests } = serve(
    "get",
    `${ISSUE}/comments`,
    { json: [{ ...comment, body }], headers: ETAG },
    { json: [{ ...comment, body }], headers: ETAG },
  );
  await (await started(directory.path)).comments(ref, signal);
  const [file] = await readdir(directory.path);
  if (file !== undefined) await between(join(directory.path, file));
  const read = await (await started(directory.path)).comments(ref, signal);
  expect(read.map((one) => one.body)).toEqual([body]);
  return requests[1]?.headers.get("if-none-match") ?? null;
}

describe("responses stored in the home", () => {
  test("the next process asks conditionally, and a 304 is answered from the file (P13)", async () => {
    expect(await askedAgain("text")).toBe('W/"1"');
    await using directory = await temporaryDirectory();
    serve(
      "get",
      `${ISSUE}/comments`,
      { json: [comment], headers: ETAG },
      { status: 304, headers: { etag: ETAG.etag } },
    );
    const first = await (await started(directory.path)).comments(ref, signal);
    expect(await (await started(directory.path)).comments(ref, signal)).toEqual(first);
  });

  test("a file that is damaged, of another URL or unreadable costs only a request", async () => {
    expect(await askedAgain("text", (file) => writeFile(file, "{ torn"))).toBeNull();
    expect(await askedAgain("text", (file) => writeFile(file, JSON.stringify({ etag: 1 })))).toBeNull();
    const foreign = async (file: string): Promise<void> => {
      const kept = JSON.parse(await readFile(file, "utf8")) as object;
      await writeFile(file, JSON.stringify({ ...kept, url: "https://other.example/" }));
    };
    expect(await askedAgain("text", foreign)).toBeNull();
  });

  test("opening the home removes the temporary files of a killed process, and no others", async () => {
    await using directory = await temporaryDirectory();
    for (const name of ["a.json", "b.json", "a.json.0a1b2c3d.tmp"])
      await writeFile(join(directory.path, name), "{}");
    await started(directory.path);
    expect((await readdir(directory.path)).toSorted()).toEqual(["a.json", "b.json"]);
  });

  test("the files are private (S17)", async () => {
    await askedAgain("text", async (file) => {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    });
  });

  test("a response with a secret's shape is not written, nor are cookies (S18)", async () => {
    expect(await askedAgain(`my token is ghp_${"a1B2".repeat(10)}`)).toBeNull();
    await askedAgain("text", async (file) => {
      expect(await readFile(file, "utf8")).not.toContain("set-cookie");
    });
  });
});
