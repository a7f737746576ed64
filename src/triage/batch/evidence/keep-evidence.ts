import { copyFile, rm } from "node:fs/promises";
import {
  captureScreenshot,
  type DetailedSnapshot,
  exportAsciicast,
  type Home,
  type Session,
} from "agent-tty";
import { messageOf } from "agent-tty/kit";
import { redactSecrets } from "../../../github/index.ts";
import type { CanaryDetector } from "../../quarantine/index.ts";
import type { BatchObserver } from "../batch-event.ts";
import type { RunInHand } from "../run-in-hand.ts";

export interface EvidencePorts {
  sessionHome: Home;
  observe: BatchObserver;
  canaries: CanaryDetector;
  /** Creates the private file and returns its path. */
  keep: (fileName: string, content: string) => Promise<string>;
}

/** Returns the ports for keeping a Triage Run's evidence; its record keeps the files. */
export function evidencePorts({ context, record }: Pick<RunInHand, "context" | "record">): EvidencePorts {
  const { sessionHome, observe, canaries } = context.ports;
  return { sessionHome, observe, canaries, keep: (fileName, content) => record.keep(fileName, content) };
}

/** Marks the Triage Run as leaked, before anything is decided or published, if its Session showed a secret of the parent (S8). */
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
 * Removes secrets from a Session's files after the Coder workspace is gone (S8, S18), and only then calls `keep`, which creates
 * artifacts from the files. `isLeaked`: the Session showed a secret of the parent, so its files are empty.
 */
export function cleanLater(
  session: Session,
  place: string,
  { context, record }: Pick<RunInHand, "context" | "record">,
  keep: (isLeaked: boolean) => Promise<void>,
): void {
  record.afterDestroy(async () => {
    const hit = await context.ports.cleaner.clean(session.directory);
    if (hit !== null) {
      record.leaked(hit, place);
      // The Session's files are emptied, so the summary must not name them.
      if (record.artifacts.eventLog?.startsWith(session.directory) === true)
        record.noteArtifacts({ eventLog: null });
    }
    await keep(hit !== null);
  });
}

/** Returns the path of the recording; null when it could not be created, which does not affect the outcome. */
export function keepRecording(
  session: Session,
  fileName: string,
  ports: EvidencePorts,
): Promise<string | null> {
  return kept(`the recording of Session ${session.id}`, ports, async () => {
    const path = await ports.keep(fileName, "");
    try {
      await exportAsciicast(ports.sessionHome, session.id, path);
    } catch (error) {
      // An empty file would be shown as a recording.
      await rm(path, { force: true });
      throw error;
    }
    return path;
  });
}

/** Returns the path of a screenshot of the Session, by default of its present screen; null when it could not be drawn. */
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
    observe({ type: "warning", message: `${what} could not be made: ${messageOf(error)}` });
    return null;
  }
}
