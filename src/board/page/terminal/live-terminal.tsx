import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TerminalFrame } from "../../api/index.ts";
import { FailureNotice } from "../chrome/index.ts";
import { firstViewIsDrawn } from "../browser/index.ts";
import type { BoardData, Connection, WatchedTerminal } from "../data/index.ts";
import { useDocument } from "../model/index.ts";
import { FullScreenButton } from "./full-screen.tsx";
import { loadScreen, loadWideCharacters } from "./load-screen.ts";
import { FOOT_PX } from "./room-below.ts";

interface LiveTerminalProps extends WatchedTerminal {
  data: BoardData;
  name: string;
}

/** Renders a living Session's terminal frame by frame. The caller sets a `key` per Session. */
export function LiveTerminal({ data, id, terminal, sessionId, name }: LiveTerminalProps): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const [connection, setConnection] = useState<Connection>({ type: "connecting" });
  const script = useDocument("terminal script", loadScreen);
  // The first view counts as drawn without the first frame, because a live terminal may draw nothing for a long time.
  useEffect(firstViewIsDrawn, []);
  useEffect(() => {
    if (container.current === null || script.type !== "read") return undefined;
    const screen = new script.document(container.current, FOOT_PX, loadWideCharacters);
    const unwatch = data.watchTerminal(
      { id, terminal, sessionId },
      { item: (frame: TerminalFrame) => screen.show([frame]), connection: setConnection },
    );
    return () => {
      unwatch();
      screen.close();
    };
  }, [id, terminal, script.type]);
  return (
    <div class="replay">
      {script.type === "failed" ? <FailureNotice failure={script.failure} /> : null}
      <div class="terminal-frame">
        <FullScreenButton />
        <div ref={container} class="terminal" role="region" aria-label={name} />
      </div>
      <p class="terminal-foot" role="status">
        {describe(connection)}
      </p>
    </div>
  );
}

function describe(connection: Connection): JSX.Element {
  switch (connection.type) {
    case "connecting":
      return <span class="muted">connecting to the terminal …</span>;
    case "open":
      return (
        <span class="live-mark">
          <span class="live-dot" aria-hidden="true" />
          live
        </span>
      );
    case "lost":
      return (
        <span class="tone-text-warn">connection to the terminal lost; it will resume where it stopped</span>
      );
    case "refused":
      return (
        <span class="tone-text-bad">
          {connection.failure.message} {connection.failure.remedy}
        </span>
      );
    case "still":
      return <span class="muted">the terminal has ended</span>;
  }
}
