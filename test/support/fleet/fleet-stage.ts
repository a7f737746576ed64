import { join } from "node:path";
import { expect } from "vitest";
import { poll } from "../batch/poll.ts";
import type { BuiltProgram, RunningProgram } from "../batch/program.ts";
import { openProgramStage } from "../batch/program-stage.ts";
import { watchLines } from "../batch/watched-lines.ts";
import { AS_OTHERS } from "../github/recording-proxy.ts";
import { SECRET } from "./deliveries.ts";

export interface StartedFleet {
  running: RunningProgram;
  /** Waits for a line of its progress output. */
  until: (pattern: RegExp) => Promise<string>;
  /** Ends it with SIGTERM and returns its end. */
  end: () => Promise<Awaited<RunningProgram>>;
}

/** Opens a stage of the real program with the settings of a fleet, and a GitHub that sends webhooks over HTTP. */
export async function openFleetStage(program: BuiltProgram, fleet: object = {}) {
  const stage = await openProgramStage(program);
  const starts = join(stage.directory, "starts");
  const [node = "", agent = ""] = stage.config.triageAgent.command;
  const config = {
    ...stage.config,
    fleet: { quiet: "1s", poll: "24h", grace: "20s", ...fleet },
    triageAgent: {
      kind: "command",
      command: ["bash", "-c", `echo start >>'${starts}'; exec '${node}' '${agent}'`],
    },
  };
  await stage.configure(config);
  return Object.assign(stage, {
    fleetConfig: config,
    startFleet: (args: readonly string[] = [], change: Record<string, string> = {}): StartedFleet => {
      const environment = { AFK_TRIAGE_WEBHOOK_SECRET: SECRET, ...change };
      const running = stage.start(["fleet", "--json", ...args], environment);
      return {
        running,
        until: watchLines(running).until,
        end: () => {
          running.kill("SIGTERM");
          return running;
        },
      };
    },
    /** From now on GitHub sends the repository's events to this fleet. */
    hook: async (fleetStarted: string, secret = SECRET): Promise<void> => {
      const { webhookPort } = JSON.parse(fleetStarted) as { webhookPort: number };
      const { github } = stage;
      const response = await fetch(`${github.apiUrl}/repos/${github.repo}/hooks`, {
        method: "POST",
        headers: {
          authorization: `token test-token-of-${github.repo.split("/")[0]}`,
          "content-type": "application/json",
          [AS_OTHERS]: "yes",
        },
        body: JSON.stringify({
          name: "web",
          active: true,
          events: ["issues", "issue_comment"],
          config: { url: `http://127.0.0.1:${webhookPort}/webhooks`, content_type: "json", secret },
        }),
      });
      expect(response.status).toBe(201);
    },
    /** Waits until the issue carries our one comment and its labels. */
    triaged: (number: number): Promise<string[]> =>
      poll("a comment and its label", async () => {
        const labels = await stage.labels(number);
        return !labels.includes("needs-triage") && (await stage.comments(number)).length > 0 ? labels : null;
      }),
    starts: (): Promise<string> => stage.read("starts"),
  });
}
