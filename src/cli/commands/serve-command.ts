import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, systemClock, systemIds } from "agent-tty/kit";
import { boardToken, FollowUps, startBoard, isPrivateTerminal, openBoardSource } from "../../board/index.ts";
import { plainText, redactSecrets } from "../../github/index.ts";
import { readEnvironment } from "../../config/index.ts";
import { resolveHome, sweptDirectory } from "../../home/index.ts";
import { openFleetRuns } from "../wiring/fleet/index.ts";
import { startOwnProgram } from "../wiring/index.ts";
import { openSweptLibrary, reportHtml, sweepReport } from "../../sweep/index.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import { VERSION } from "../version.ts";

export interface ServeRequest {
  home?: string;
  port: number;
  host: string;
  allowControl?: true;
  newToken?: true;
}

/**
 * Implements `serve`: once the board listens, prints its URL with the token for people, and the document without the token for
 * programs. The token itself is only in the home and on a terminal that is not recorded. Ends with the first signal.
 */
export async function serveBoard(request: ServeRequest, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    const ports = { clock: systemClock, ids: systemIds(systemClock) };
    const environment = readEnvironment(process.env);
    const home = resolveHome(request.home, environment);
    const onFailure = (message: string): void => output.line(plainText(redactSecrets(message)));
    await using fleet = await openFleetRuns(environment, home, { ...ports, onFailure });
    const isNew = request.newToken ?? false;
    const tokenFile = join(home, "board-token");
    const token = await boardToken(tokenFile, { ids: ports.ids, isNew });
    const isShown = isPrivateTerminal(process.stdout.isTTY, process.env);
    const allowsControl = request.allowControl ?? false;
    const followUps =
      allowsControl && fleet === null ? new FollowUps({ start: startOwnProgram, clock: ports.clock }) : null;
    await using source = openBoardSource(home, { ...ports, followUps }, fleet?.places);
    const swept = openSweptLibrary(sweptDirectory(home), ports.ids);
    await using board = await startBoard({
      source,
      token,
      host: request.host,
      port: request.port,
      allowsControl,
      version: VERSION,
      pageDirectory: pageDirectory(),
      redact: redactSecrets,
      sweepPage: async (nonce) =>
        reportHtml(sweepReport(await swept.everything(), ports.clock.nowMs()), nonce),
      onFailure: (error) => onFailure(`the board failed: ${messageOf(error)}`),
      ...ports,
    });
    output.answer([
      ...(isShown
        ? [`board: ${board.url}?token=${token}`]
        : [
            `board: ${board.url}`,
            `To sign in, append ?token= and the token in ${tokenFile} to this address.`,
          ]),
      ...(fleet === null ? [] : ["It shows the Triage Runs of all workers of the fleet."]),
      allowsControl
        ? "The board can send input to Triage Agents, and stop, kill, verify and rerun Triage Runs. Ctrl-C stops the board."
        : "The board is read-only; --allow-control allows changes. Ctrl-C stops the board.",
    ]);
    output.document({ schema: "afk-triage/serve@1", url: board.url, port: board.port });
    if (!signals.stop.aborted) await once(signals.stop, "abort");
    return signals.exitCode() ?? exitCodes.done;
  });
}

/** Returns the directory of the board's page, which is beside the bundle. */
function pageDirectory(): string {
  return fileURLToPath(new URL("board/", import.meta.url));
}
