import { once } from "node:events";
import { connect } from "node:net";
import { createIds, systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { type DemoGithub, demoIssues, startDemoGithub } from "../../src/demo/index.ts";
import { parseMarker } from "../../src/github/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const never = new AbortController().signal;

test("the demo's GitHub serves every issue as its own reporter, in the order of reporting", async () => {
  await using directory = await temporaryDirectory();
  await using github = await start(directory.path);
  const states = await github.readState(never);
  expect(states.map(({ title }) => title)).toEqual(demoIssues.map(({ title }) => title));
  expect(states.map(({ labels }) => labels)).toEqual(demoIssues.map(({ labels }) => labels));
  expect(states.map(({ isPullRequest }) => isPullRequest)).toEqual(
    demoIssues.map(({ kind }) => kind === "pull-request"),
  );
  const listed = (await get(
    github,
    `/repos/${github.repo}/issues?state=open&per_page=100&direction=asc`,
  )) as {
    number: number;
    body: string;
    user: { login: string; id: number };
    created_at: string;
  }[];
  const created = listed.filter((issue) => !("pull_request" in issue)).map((issue) => issue.created_at);
  expect(new Set(created).size).toBe(created.length);
  expect([...created].sort()).toEqual(created);
  for (const issue of listed) {
    const wanted = demoIssues.find(({ key }) => github.numbers.get(key) === issue.number);
    expect(issue).toMatchObject({ body: wanted?.body, user: { login: wanted?.author } });
  }
});

test("the pull request is listed with its label and marked as one, as GitHub does (T1)", async () => {
  await using directory = await temporaryDirectory();
  await using github = await start(directory.path);
  const listed = (await get(
    github,
    `/repos/${github.repo}/issues?state=open&labels=needs-triage`,
  )) as object[];
  expect(listed.filter((issue) => "pull_request" in issue)).toHaveLength(1);
  const other = (await get(github, `/repos/${github.repo}/issues?state=open&labels=needs-info`)) as object[];
  expect(other.filter((issue) => "pull_request" in issue)).toHaveLength(0);
});

test("earlier triage notes are the viewer's own and have a marker, and the reporter's reply is newer (T2)", async () => {
  await using directory = await temporaryDirectory();
  await using github = await start(directory.path, "demo-key");
  const viewer = (await get(github, "/user")) as { id: number };
  const number = github.numbers.get("fractions-with-reply") ?? 0;
  const comments = (await get(github, `/repos/${github.repo}/issues/${number}/comments`)) as {
    body: string;
    user: { id: number; login: string };
    created_at: string;
  }[];
  const [notes, reply] = comments;
  expect(notes?.user.id).toBe(viewer.id);
  expect(parseMarker(notes?.body ?? "")).toMatchObject({ issue: number, outcome: "needs-info" });
  expect(parseMarker(notes?.body ?? "")?.signature).toHaveLength(64);
  expect(reply?.user.login).toBe("kofi-b");
  expect((reply?.created_at ?? "") > (notes?.created_at ?? "~")).toBe(true);
});

test("the demo's GitHub listens only on the loopback interface, and releases its port (S17)", async () => {
  await using directory = await temporaryDirectory();
  const github = await start(directory.path);
  expect(new URL(github.apiUrl).hostname).toBe("127.0.0.1");
  await github[Symbol.asyncDispose]();
  await expect(fetch(github.apiUrl)).rejects.toThrow("fetch failed");
});

test("a client that disconnects in the middle of a request does no harm", async () => {
  await using directory = await temporaryDirectory();
  await using github = await start(directory.path);
  const { port } = new URL(github.apiUrl);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  const head = `POST /repos/${github.repo}/issues HTTP/1.1\r\nhost: x\r\ncontent-length: 999\r\n\r\n{"title":`;
  await new Promise<void>((resolve) => {
    socket.write(head, () => resolve());
  });
  socket.destroy();
  await once(socket, "close");
  expect(await github.readState(never)).toHaveLength(demoIssues.length);
});

test("a stop while the demo's GitHub is being filled leaves nothing listening", async () => {
  await using directory = await temporaryDirectory();
  const stop = new AbortController();
  const stopping = createIds(systemClock, (sizeBytes) => {
    stop.abort(new Error("stopped"));
    return new Uint8Array(sizeBytes);
  });
  await expect(start(directory.path, undefined, stopping, stop.signal)).rejects.toThrow("stopped");
});

async function start(
  directory: string,
  markerKey?: string,
  ids = systemIds(systemClock),
  signal = never,
): Promise<DemoGithub> {
  return startDemoGithub({ issues: demoIssues, directory, markerKey, clock: systemClock, ids }, signal);
}

async function get(github: DemoGithub, path: string): Promise<unknown> {
  const response = await fetch(github.apiUrl + path, {
    headers: { authorization: `Bearer ${github.token}` },
  });
  expect(response.status).toBe(200);
  return response.json();
}
