import { copyFile } from "node:fs/promises";
import {
  captureScreenshot,
  type DetailedSnapshot,
  exportAsciicast,
  type Home,
  type Session,
} from "agent-tty";
import { redactSecrets } from "../../../github/index.ts";
import type { CanaryDetector } from "../../quarantine/index.ts";
import type { BatchObserver } from "../batch-event.ts";
import type { RunInHand } from "../run-in-hand.ts";

export interface EvidencePorts {
  sessionHome: Home;
  observe: BatchObserver;
  canaries: CanaryDetector;
  /** Makes the file, private, and gives its path. */
  keep: (fileName: string, content: string) => Promise<string>;
}

/** The ports for keeping a Triage Run's evidence, with its record as the place for files. */
export function evidencePorts({ context, record }: Pick<RunInHand, "context" | "record">): EvidencePorts {
  const { sessionHome, observe, canaries } = context.ports;
  return { sessionHome, observe, canaries, keep: (fileName, content) => record.keep(fileName, content) };
}

/** S8: before anything is decided or published, a secret of the parent in what a Session showed fails the Triage Run. */
export async function searchEvidence(
  session: Session,
  place: string,
  { context, record }: Pick<RunInHand, "context" | "record">,
): Promise<void> {
  record.sessions.push(session.directory);
  const hit = await record.timed("cleanMs", () =>
    context.ports.cleaner.search(session.directory, context.stop),
  );
  if (hit !== null) record.leaked(hit, place);
}

/**
 * S8, S18: once the Coder workspace is gone, what a Session's files must not hold is taken out of them, and only then is
 * `keep` called, which makes something of them.
 */
export function cleanLater(
  session: Session,
  place: string,
  { context, record }: Pick<RunInHand, "context" | "record">,
  keep: () => Promise<void>,
): void {
  record.afterDestroy(async () => {
    const hit = await context.ports.cleaner.clean(session.directory);
    if (hit !== null) {
      record.leaked(hit, place);
      // The Session's files are emptied, so the summary must not name them.
      if (record.artifacts.eventLog?.startsWith(session.directory) === true)
        record.noteArtifacts({ eventLog: null });
    }
    await keep();
  });
}

/** The path of the recording; null when it could not be made, which must not cost the outcome. */
export function keepRecording(
  session: Session,
  fileName: string,
  ports: EvidencePorts,
): Promise<string | null> {
  return kept(`the recording of Session ${session.id}`, ports, async () => {
    const path = await ports.keep(fileName, "");
    await exportAsciicast(ports.sessionHome, session.id, path);
    return path;
  });
}

/** The path of a picture of the Session's screen, by default as it is now; null when it could not be drawn. */
export function keepScreenshot(
  session: Session,
  fileName: string,
  ports: EvidencePorts,
  screen: DetailedSnapshot | null = null,
): Promise<string | null> {
  return kept(`the screenshot of Session ${session.id}`, ports, async () => {
    const snapshot = screen ?? (await session.detailedSnapshot());
    const shown = snapshot.visibleLines.join("\n");
    if (redactSecrets(shown) !== shown || ports.canaries.find(shown) !== null)
      throw new Error("the screen shows what looks like a secret");
    const shot = await captureScreenshot(ports.sessionHome, session.id, snapshot, {
      theme: "dark",
      showCursor: false,
    });
    const path = await ports.keep(fileName, "");
    await copyFile(shot.artifactPath, path);
    return path;
  });
}

async function kept(
  what: string,
  { observe }: EvidencePorts,
  make: () => Promise<string>,
): Promise<string | null> {
  try {
    return await make();
  } catch (error) {
    observe({ type: "warning", message: `${what} could not be made: ${String(error)}` });
    return null;
  }
}
