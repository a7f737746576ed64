/**
 * Usage: `npm run fleet:outages`. Tests a fleet while its PostgreSQL is crashed and away, has no connection left, or refuses
 * every write because its disk is full, and while one worker is paused beyond its lease (row F6). The worker processes and the
 * server are real; triggers that raise SQLSTATE 53100 simulate a full disk. `--seconds` is the duration of each trouble (default
 * 60); `--only <part of a name>` plays the troubles whose name contains it: "PostgreSQL crashed and away", "no connection left",
 * "disk full", "one worker paused". Prints the visits that were duplicated, lost, leaked or paid twice. The exit code is 1 if
 * there are any.
 */
import { loadavg } from "node:os";
import { systemClock } from "agent-tty/kit";
import { Client } from "pg";
import { fillDisk } from "../test/support/fleet/full-disk.ts";
import { type Load, runLoad, type TroubleStage } from "../test/support/fleet/load-run.ts";
import { beginFleetScript } from "../test/support/fleet/fleet-script.ts";
import { seeded } from "../test/support/seeded.ts";
import { refuseArguments, scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: { seconds: { type: "string", default: "60" }, only: { type: "string" } },
});
beginFleetScript();
const troubleMs = Number(values.seconds) * 1_000;

const load: Load = {
  workers: 3,
  parallelism: 4,
  repositories: 40,
  issues: 100,
  perRepository: 3,
  agentMs: 1_000,
  killEveryMs: null,
  random: seeded(1),
  patienceMs: 600_000,
};

const troubles: Record<string, (stage: TroubleStage) => Promise<void>> = {
  "PostgreSQL crashed and away": async ({ server }) => {
    await server.stop("immediate");
    await systemClock.sleep(troubleMs);
    await server.start();
  },
  "no connection left": async ({ server, sql }) => {
    // The fleet's backends are terminated, and other clients take every connection before the fleet can reconnect.
    const strangers: Client[] = [];
    await sql.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'afk-triage fleet' and pid <> pg_backend_pid()",
    );
    for (let refused = 0; refused < 3;) {
      const stranger = new Client({ connectionString: server.url });
      stranger.on("error", () => undefined);
      const isIn = await stranger.connect().then(
        () => true,
        () => false,
      );
      if (isIn) strangers.push(stranger);
      else refused += 1;
    }
    await systemClock.sleep(troubleMs);
    await Promise.all(strangers.map((stranger) => stranger.end()));
  },
  "disk full": async ({ sql }) => {
    const disk = await fillDisk(sql);
    await systemClock.sleep(troubleMs);
    await disk.empty();
  },
  "one worker paused": async ({ pause }) => {
    using _paused = pause();
    await systemClock.sleep(Math.max(15_000, troubleMs / 4));
  },
};

const wanted = values.only?.toLowerCase() ?? "";
const chosen = Object.entries(troubles).filter(([name]) => name.toLowerCase().includes(wanted));
if (chosen.length === 0)
  refuseArguments(
    import.meta.url,
    `--only ${values.only}: no trouble has such a name; there are ${Object.keys(troubles).join(", ")}`,
  );
for (const [name, trouble] of chosen) {
  const figures = await runLoad({ ...load, trouble });
  const { doubledComments, lost, lostBeforePoll, leakedWorkspaces, paidTwice, durationMs } = figures;
  process.stdout.write(
    `${[
      `${name} (load ${loadavg()[0]?.toFixed(1)})`,
      `  ${figures.issues} issues: doubled comments ${doubledComments}, lost ${lost} (${lostBeforePoll} found by the next poll only), leaked Coder workspaces ${leakedWorkspaces}, Triage Agents paid twice ${paidTwice}`,
      `  last issue begun after ${(durationMs / 1_000).toFixed(1)} s; the workers complained ${figures.complaints.length} times, e.g. ${figures.complaints.at(-1) ?? "-"}`,
    ].join("\n")}\n`,
  );
  if (doubledComments + lost + leakedWorkspaces + paidTwice > 0) process.exitCode = 1;
}
