/**
 * Usage: `npm run fleet:deliveries`. Plays 10,000 webhook deliveries on loopback, 200 per second, shuffled, a tenth of them
 * duplicated, 5 % dropped and 1 % forged, while the stored ones are processed on SQLite, and prints how fast they were
 * acknowledged. With `--count N` it plays another number. The exit code is 1 if the p99 of the acknowledgements is 100 ms or
 * more, or if an issue whose delivery arrived got no visit.
 */
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { systemClock } from "agent-tty/kit";
import { serveWebhooks } from "../src/fleet/index.ts";
import { issueOpened, signed } from "../test/support/fleet/deliveries.ts";
import { percentile } from "../test/support/fleet/queue-experiment.ts";
import { webhookStage } from "../test/support/fleet/webhook-stage.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: { count: { type: "string", default: "10000" } },
});
const count = Number(values.count);
/** At this rate 10,000 deliveries take less than a minute, as after a release. */
const PER_SECOND = 200;

await using stage = await webhookStage(systemClock);
await using server = await serveWebhooks(stage.receiver, { host: "127.0.0.1", port: 0, clock: systemClock });
const stop = new AbortController();
const working = stage.inbox.work(stop.signal);
// As a reverse proxy, which reuses a limited number of connections: the server closes new ones beyond 512.
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const expected = new Set<string>();
const requests: ReturnType<typeof signed>[] = [];
for (let index = 0; index < count; index += 1) {
  const [repositoryId, number] = [1 + (index % 3), index + 1];
  const delivery = issueOpened(`guid-${index}`, repositoryId, number);
  if (index % 20 === 3) continue;
  if (index % 100 === 7) {
    requests.push(signed(delivery, "a guess"));
    continue;
  }
  expected.add(`${repositoryId}#${number}`);
  requests.push(signed(delivery));
  if (index % 10 === 5) requests.push(signed(delivery));
}
// A fixed shuffle: a hash of each index determines its position.
const shuffled = requests
  .map((delivery, index) => ({ delivery, place: Math.imul(index + 1, 0x9e3779b1) }))
  .toSorted((a, b) => a.place - b.place)
  .map(({ delivery }) => delivery);

const tookMs: number[] = [];
const startedMs = systemClock.monotonicMs();
await Promise.all(
  shuffled.map(async (delivery, index) => {
    await systemClock.sleep((index * 1_000) / PER_SECOND);
    const sentMs = systemClock.monotonicMs();
    await post(delivery);
    tookMs.push(systemClock.monotonicMs() - sentMs);
  }),
);
const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
stop.abort();
await working;
await stage.inbox.drain();
agent.destroy();

const sorted = tookMs.toSorted((a, b) => a - b);
const p99 = percentile(sorted, 0.99);
const visited = new Set(stage.visited());
const lost = [...expected].filter((issue) => !visited.has(issue)).length;
const strange = [...visited].filter((issue) => !expected.has(issue)).length;
process.stdout.write(
  `${[
    `${shuffled.length} deliveries in ${seconds.toFixed(1)} s, ${PER_SECOND} a second wanted (load ${loadavg()[0]?.toFixed(1)})`,
    `  acknowledged: p50 ${percentile(sorted, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, last ${(sorted.at(-1) ?? 0).toFixed(1)} ms`,
    `  answers: ${JSON.stringify(stage.receiver.counts())}`,
    `  issues visited ${visited.size} of ${expected.size} that a delivery told; lost ${lost}, of forged ones ${strange}`,
    `  memory ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB`,
  ].join("\n")}\n`,
);
if (p99 >= 100 || lost + strange > 0) process.exitCode = 1;

async function post({ headers, body }: ReturnType<typeof signed>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sending = request(
      { host: "127.0.0.1", port: server.port, path: "/webhooks", method: "POST", agent, headers },
      (response) => response.resume().on("end", resolve).on("error", reject),
    );
    sending.on("error", reject).end(body);
  });
}
