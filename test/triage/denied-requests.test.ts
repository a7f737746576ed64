import { expect, test } from "vitest";
import { joinDenied, readDeniedRequests } from "../../src/triage/denied-requests.ts";
import { renderComment } from "../../src/triage/index.ts";
import { decideSecurityReport } from "../../src/triage/policy/index.ts";
import { decideAlone, issueWith, outcomeWith, reproduction, runWith } from "./facts.ts";

const deny = (host: string): string =>
  `time=2026-11-23T04:00:00Z level=WARN msg=DENY method=GET url=https://${host}/x?q=1 host=${host}`;

test("readDeniedRequests returns the number of denied requests and their hosts, the most often denied one first", () => {
  const log = [
    deny("a.example"),
    deny("b.example:8443"),
    deny("b.example:8443"),
    "time=… level=INFO msg=ALLOW method=GET url=https://c.example host=c.example",
    'level=WARN msg="DENY" method=POST url="http://d.example/path"',
    "level=WARN msg=DENYING host=e.example",
    deny("<script>"),
  ].join("\n");
  expect(readDeniedRequests(log)).toEqual({ count: 5, hosts: ["b.example:8443", "a.example", "d.example"] });
  expect(readDeniedRequests("nothing of the kind")).toBeNull();
  const many = Array.from({ length: 30 }, (_, index) => deny(`h${index}.example`)).join("\n");
  expect(readDeniedRequests(many)).toMatchObject({ count: 30, hosts: { length: 10 } });
});

test("the deployment's count is used if the log in the Coder workspace has fewer entries", () => {
  expect(joinDenied(null, 0)).toBeNull();
  expect(joinDenied(null, 4)).toEqual({ count: 4, hosts: [] });
  expect(joinDenied({ count: 2, hosts: ["a.example"] }, 4)).toEqual({ count: 4, hosts: ["a.example"] });
});

const context = { issue: issueWith(), runId: "20260430T141500Z", markerKey: null, recording: null };
const denied = { count: 3, hosts: ["a.example", "b`c.example"] };

test("denied requests are a line in the folded part of a comment, their hosts as code", () => {
  const runs = [runWith(), runWith(), runWith()];
  const verification = { type: "unproven", reason: "why", runs, reproduction, grade: GRADE } as const;
  const decision = decideAlone({ issue: context.issue, outcome: outcomeWith({}), verification });
  const comment = renderComment(decision, { ...context, denied });
  const folded = /<details>[\s\S]*?<\/details>/.exec(comment)?.[0] ?? "";
  expect(folded).toContain(
    "The Agent Firewall denied 3 network requests during the triage, to `a.example`, ",
  );
  expect(folded).toContain("`b'c.example`");
  const many = renderComment(decision, { ...context, denied: { count: 1_000_000, hosts: [] } });
  expect(many).toContain("denied 1,000,000 network requests");
  expect(renderComment(decision, context)).not.toContain("Agent Firewall");
});

const GRADE = {
  verdict: "vacuous",
  runs: "3/3",
  controls: "1/4",
  place: "fresh",
  firstBad: null,
  firstFixed: null,
  test: null,
} as const;

test("the comment on a security report mentions no denied requests (S16)", () => {
  expect(renderComment(decideSecurityReport(), { ...context, denied })).not.toContain("a.example");
});
