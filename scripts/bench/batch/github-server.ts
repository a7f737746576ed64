import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "agent-tty/kit";
import { createFakeGithub } from "../../../test/support/github/fake-github.ts";
import { worldPeople } from "../../../test/support/github/github-world.ts";
import { answerOf } from "./github-routes.ts";
import type { BatchLoad } from "./simulated-batch.ts";

// The process of the simulated GitHub: `measureBatch` passes the load as its only argument, reads the address from its output,
// and ends it. It is separate from the parent, so that neither its work nor its memory counts as the parent's.
const load = JSON.parse(process.argv[2] ?? "") as BatchLoad;
const github = createFakeGithub({ clock: systemClock });
github.permit(worldPeople.viewer, "write");
for (let index = 0; index < load.issues; index += 1)
  await github.createIssue({ title: `Issue ${index + 1}`, body: "It is slow.", labels: ["needs-triage"] });

const server = createServer((incoming, outgoing) => {
  void (async () => {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    const body = await bodyOf(incoming);
    const { status, headers, text } = await answerOf(github, {
      method: incoming.method ?? "GET",
      url,
      body: body === "" ? null : JSON.parse(body),
      etag: incoming.headers["if-none-match"] ?? null,
    });
    outgoing.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers }).end(text);
  })();
});
// The server never closes an idle connection, so that no client has to reconnect.
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += String(chunk);
  return text;
}
