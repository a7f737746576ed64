import { once } from "node:events";
import { StringDecoder } from "node:string_decoder";
import { type Home, STATUS_POLICY } from "../../home/index.ts";
import { followEvents, readEvents } from "../../log/index.ts";
import { inertJson } from "../inert.ts";
import { skippedDamage } from "../skipped-damage.ts";

/**
 * Streams the Event Log as JSON lines, output records with their text, until the child has exited. Returns the warnings about
 * damage that it skipped in the log of a Session that has ended.
 */
export async function follow(
  home: Home,
  sessionId: string,
  fromSeq: number,
  signal: AbortSignal,
): Promise<string[]> {
  const manifest = await home.readManifest(sessionId);
  const directory = home.sessionDirectory(sessionId);
  const isLive = STATUS_POLICY[manifest.status].active;
  const { onDamage, warnings } = skippedDamage(manifest);
  const events = isLive
    ? followEvents(directory, { fromSeq, signal, clock: home.clock })
    : readEvents(directory, { fromSeq, onDamage });
  const decoder = new StringDecoder("utf8");
  for await (const { record, bytes } of events) {
    const line = record.type === "output" ? { ...record, data: decoder.write(bytes) } : record;
    if (!process.stdout.write(`${inertJson(line)}\n`)) await once(process.stdout, "drain");
    if (signal.aborted) break;
  }
  return warnings();
}
