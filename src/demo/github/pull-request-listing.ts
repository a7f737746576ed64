import { once } from "node:events";
import { type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";

interface Listed {
  number: number;
  labels: { name: string }[];
  html_url: string;
  url: string;
  [field: string]: unknown;
}

/**
 * Adds pull requests to the list of issues. GitHub's list contains them too, each with a `pull_request` key, but the emulator
 * omits them. Here they follow the issues on the last page. https://docs.github.com/en/rest/issues/issues#list-repository-issues
 */
export async function listWithPullRequests(
  socketPath: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  const issues = await get(socketPath, `${url.pathname}${url.search}`, incoming);
  const isLastPage = !String(issues.headers["link"] ?? "").includes('rel="next"');
  if (issues.status !== 200 || !isLastPage) {
    answer(outgoing, issues, issues.body);
    return;
  }
  const state = url.searchParams.get("state") ?? "open";
  const path = `${url.pathname.replace(/issues$/, "pulls")}?per_page=100&state=${state}`;
  const pulls = await get(socketPath, path, incoming);
  const wanted = (url.searchParams.get("labels") ?? "").split(",").filter((name) => name !== "");
  const extra = (pulls.status === 200 ? (JSON.parse(pulls.body) as Listed[]) : [])
    .filter((pull) => wanted.every((name) => pull.labels.some((label) => label.name === name)))
    .map((pull) => Object.assign(pull, { pull_request: { url: pull.url, html_url: pull.html_url } }));
  answer(outgoing, issues, JSON.stringify([...(JSON.parse(issues.body) as Listed[]), ...extra]));
}

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

async function get(socketPath: string, path: string, incoming: IncomingMessage): Promise<Answer> {
  // Removes the conditional headers, because the emulator's validator would not cover the pull requests.
  const { "if-none-match": _etag, "if-modified-since": _since, ...headers } = incoming.headers;
  const request = httpRequest({ socketPath, agent: false, path, headers });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 502,
    headers: response.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

function answer(outgoing: ServerResponse, upstream: Answer, body: string): void {
  const {
    "content-length": _length,
    "transfer-encoding": _encoding,
    etag: _etag,
    ...headers
  } = upstream.headers;
  outgoing.writeHead(upstream.status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}
