import { worldLabels } from "../github/github-world.ts";
import type { RecordedRequest } from "../github/recording-proxy.ts";
import { characterFaults } from "./comment-laws.ts";

/** S10: returns the faults in the batch's output, which must be inert and have the documented format. */
export function logFaults(kept: ReadonlyMap<string, string>, exitCode: number | null): string[] {
  const text = (place: string): string => kept.get(place) ?? "";
  return [
    ...(exitCode === 0 || exitCode === 3 ? [] : [`exit code ${exitCode}`]),
    ...(isDocument(text("stdout")) ? [] : ["stdout is not one JSON document"]),
    ...["stdout", "stderr", "job summary"].flatMap((place) =>
      characterFaults(text(place)).map((fault) => `${place}: ${fault}`),
    ),
    ...(/^run-id=\d{8}T\d{6}Z\napplied=\d+\n$/.test(text("step output"))
      ? []
      : ["the step output holds something else"]),
    ...(/<(?!br)[a-z!/]|!\[|\]\(|(?<!\w)@\w/i.test(outsideFences(text("job summary")))
      ? ["the job summary holds markup"]
      : []),
  ];
}

/**
 * Removes fenced blocks, which contain the last screens of failed runs. A fence ends at a line with only backticks, at least as
 * many as opened it.
 */
function outsideFences(markdown: string): string {
  let open: string | null = null;
  const outside = markdown.split("\n").filter((line) => {
    const [ticks] = /^`{3,}$/.exec(line) ?? [];
    if (open !== null && ticks !== undefined && ticks.length >= open.length) open = null;
    else if (open === null && ticks !== undefined) open = ticks;
    else return open === null;
    return false;
  });
  return outside.join("\n");
}

/**
 * S1, S6: returns the writes that were not allowed. The credential may write only comments, the seven labels and closes, and only
 * on the batch's issues.
 */
export function requestFaults(requests: readonly RecordedRequest[], issues: ReadonlySet<number>): string[] {
  return requests
    .filter(({ method }) => method !== "GET" && method !== "HEAD")
    .flatMap((request) => {
      const { method, path, body } = request;
      const found = /^\/repos\/octo\/widgets\/issues\/(\d+)(\/comments|\/labels(?:\/([^/?]+))?)?$/.exec(path);
      const named = found === null || !issues.has(Number(found[1])) ? [`${method} ${path}`] : [];
      return isAllowed(method, found?.[2] ?? "", body) ? named : [`${method} ${path} ${body.slice(0, 80)}`];
    });
}

function isAllowed(method: string, what: string, body: string): boolean {
  const labels: readonly string[] = worldLabels;
  if (what === "/comments") return method === "POST";
  if (what === "/labels") {
    const given = (JSON.parse(body) as { labels: string[] }).labels;
    return method === "POST" && given.every((label) => labels.includes(label));
  }
  if (what.startsWith("/labels/"))
    return method === "DELETE" && labels.includes(decodeURIComponent(what.slice(8)));
  return method === "PATCH" && /^\{"state":"closed","state_reason":"not_planned"\}$/.test(body);
}

function isDocument(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
