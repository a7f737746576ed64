/**
 * Usage: `npm run test:terminals`. Sends the same bytes to the engine and to tmux and prints every difference, for streams
 * written by hand and for screens of vttest, vim, less, top and tmux in a Session. With `--write` it keeps small streams that
 * both show in the same way as fixtures of the default test run. It needs tmux; a program that is missing is reported and
 * skipped. The exit code is 1 if a stream differs that is not a known difference.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openHome } from "agent-tty";
import { messageOf, OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { temporaryDirectory } from "../test/support/temporary-directory.ts";
import { capturedStreams, DRIVES } from "./terminals/captured.ts";
import { KNOWN_DIFFERENCES } from "./terminals/known-differences.ts";
import { type Shown, shownByEngine, shownByTmux } from "./terminals/shown.ts";
import { type TerminalStream, writtenStreams } from "./terminals/streams.ts";

const FIXTURES = join(import.meta.dirname, "../test/fixtures/terminal-streams");
const MAX_FIXTURE_BYTES = 8_000;
/** The screens of these programs depend on the machine. */
const UNKEPT = /^(?:top|tmux|vim|less):/;

const isWriting = process.argv.includes("--write");
await using directory = await temporaryDirectory();
const ids = systemIds(systemClock);
const home = await openHome({ directory: join(directory.path, "home"), clock: systemClock, ids });
const env = { PATH: process.env["PATH"] ?? "", HOME: directory.path, LANG: "C.UTF-8" };
const counts = { same: 0, known: 0, different: 0 };

for (const stream of writtenStreams()) await compare(stream);
for (const drive of DRIVES) {
  try {
    for await (const stream of capturedStreams(drive, home, env)) await compare(stream);
  } catch (error) {
    const isMissing = error instanceof OperationalError && error.code === "SPAWN_PROGRAM_MISSING";
    console.log(`${drive.program}: ${isMissing ? "skipped" : "not driven to its end"}: ${messageOf(error)}`);
    if (!isMissing) counts.different += 1;
  }
}
console.log(
  `${counts.same} screens are the same in tmux, ${counts.known} differ as known, ${counts.different} differ`,
);
process.exitCode = counts.different > 0 ? 1 : 0;

async function compare(stream: TerminalStream): Promise<void> {
  const engine = await shownByEngine(home, stream);
  const tmux = await shownByTmux(join(directory.path, ids.hex(4)), stream);
  const differences = differencesOf(engine, tmux);
  if (differences.length === 0) {
    counts.same += 1;
    if (isWriting && !UNKEPT.test(stream.name) && stream.bytes.byteLength <= MAX_FIXTURE_BYTES)
      await keep(stream, engine);
    return;
  }
  const reason = KNOWN_DIFFERENCES[stream.name];
  if (reason === undefined) counts.different += 1;
  else counts.known += 1;
  console.log(`${stream.name}${reason === undefined ? "" : ` (known: ${reason})`}`);
  for (const difference of differences) console.log(`  ${difference}`);
}

function differencesOf(engine: Shown, tmux: Shown): string[] {
  const rows = Array.from({ length: Math.max(engine.lines.length, tmux.lines.length) }, (_, row) => row);
  const lines = rows.flatMap((row) => {
    const [ours, theirs] = [engine.lines[row] ?? "", tmux.lines[row] ?? ""];
    return ours === theirs ? [] : [`row ${row}: ${JSON.stringify(ours)} in tmux ${JSON.stringify(theirs)}`];
  });
  const [ours, theirs] = [JSON.stringify(engine.cursor), JSON.stringify(tmux.cursor)];
  return ours === theirs ? lines : [...lines, `cursor: ${ours} in tmux ${theirs}`];
}

async function keep(stream: TerminalStream, shown: Shown): Promise<void> {
  await mkdir(FIXTURES, { recursive: true });
  const file = `${stream.name.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}.json`;
  const { name, cols, rows, bytes } = stream;
  const fixture = { name, cols, rows, base64: bytes.toString("base64"), ...shown };
  await writeFile(join(FIXTURES, file), `${JSON.stringify(fixture, null, 2)}\n`);
}
