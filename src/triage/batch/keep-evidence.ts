import { copyFile } from "node:fs/promises";
import { captureScreenshot, exportAsciicast, type Home, type Session } from "agent-tty";
import type { BatchObserver } from "./batch-event.ts";
import type { RunInHand } from "./work-out.ts";

export interface EvidencePorts {
  sessionHome: Home;
  observe: BatchObserver;
  /** Makes the file, private, and gives its path. */
  keep: (fileName: string, content: string) => Promise<string>;
}

export function evidencePorts({ context, record }: Pick<RunInHand, "context" | "record">): EvidencePorts {
  const { sessionHome, observe } = context.ports;
  return { sessionHome, observe, keep: (fileName, content) => record.keep(fileName, content) };
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

/** The path of a picture of the Session's screen as it is now; null when it could not be drawn. */
export function keepScreenshot(
  session: Session,
  fileName: string,
  ports: EvidencePorts,
): Promise<string | null> {
  return kept(`the screenshot of Session ${session.id}`, ports, async () => {
    const snapshot = await session.detailedSnapshot();
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
