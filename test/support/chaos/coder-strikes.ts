import { systemClock } from "agent-tty/kit";
import type { CoderStandIn, StandInCall } from "../coder/index.ts";
import { type AnswerFault, noFaults } from "../coder/stand-in-model.ts";
import { isActive, latestBuild } from "../coder/stand-in-state.ts";
import type { AnswerFaultKind, CoderFault, LastingFaultKind } from "./faults.ts";
import { coderPath, isCoderCall } from "./moments.ts";
import type { ChaosStage } from "./chaos-stage.ts";
import type { Tally } from "./tally.ts";

/** Injects faults into a stand-in for Coder, removes them again, and counts those that took effect. */
export interface CoderStrikes {
  arm(fault: CoderFault): void;
  saw(call: StandInCall): void;
  /** Removes all faults, and frees stuck builds as Coder's job reaper does eventually. */
  lift(): void;
}

export function createCoderStrikes(stage: ChaosStage, deleteMs: number, tally: Tally): CoderStrikes {
  const { coder } = stage;
  const timers: Disposable[] = [];
  /** The counters to read when the faults are over. */
  const counts: (() => void)[] = [];
  const lasting = createLastingFaults(coder, deleteMs);
  let isTokenStale = false;
  const armAnswers = (kind: AnswerFaultKind, fault: AnswerFault): void => {
    coder.faults.answers.push(fault);
    const { times } = fault;
    counts.push(() => tally.add(`coder ${kind}`, times - fault.times));
  };
  const renewToken = (): void => {
    coder.rotateToken();
    isTokenStale = true;
    timers.push(systemClock.schedule(100, () => void stage.writeToken()));
  };
  return {
    arm: (fault) => {
      switch (fault.kind) {
        case "bad-gateway":
        case "rate-limit":
        case "lost-answer":
        case "refused-connection":
        case "delete-conflict":
          return armAnswers(fault.kind, answerFault(fault));
        case "ssh-refused":
          return armCounter("sshSetupFailures", fault.kind, fault.times);
        case "ssh-lost":
          return armCounter("sshDrops", fault.kind, fault.times);
        case "stop-fails":
          return armCounter("failingStops", fault.kind, fault.times);
        case "delete-fails":
          return armCounter("failingDeletes", fault.kind, fault.times);
        case "ssh-dropped":
          // The strike comes later, because the connection that is counted has no terminal yet.
          return void timers.push(
            systemClock.schedule(150, () => tally.add("coder ssh-dropped", coder.dropSessions())),
          );
        case "token-renewed":
          return renewToken();
        case "stopped-underneath":
          return tally.add("coder stopped-underneath", endUnderneath(coder, "stop"));
        case "deleted-underneath":
          return tally.add("coder deleted-underneath", endUnderneath(coder, "delete"));
        default:
          lasting.on(fault.kind);
          timers.push(systemClock.schedule(fault.forMs, () => lasting.off(fault.kind)));
      }
    },
    saw: (call) => {
      lasting.saw(call, tally);
      if (call.type === "api" && !call.isAuthentic && isTokenStale) tally.add("coder token-renewed");
    },
    lift: () => {
      timers.forEach((timer) => timer[Symbol.dispose]());
      counts.forEach((count) => count());
      lasting.count(tally);
      Object.assign(coder.faults, noFaults());
      for (const kind of lastingKinds) lasting.off(kind);
      for (const workspace of coder.state.workspaces) {
        const build = latestBuild(workspace);
        if (isActive(build) && build.outcome.startsWith("stuck")) Object.assign(build, { outcome: "fails" });
      }
    },
  };

  function armCounter(
    counter: "sshSetupFailures" | "sshDrops" | "failingStops" | "failingDeletes",
    kind: string,
    times: number,
  ): void {
    const { faults } = coder;
    faults[counter] = Math.max(faults[counter], times);
    const before = faults[counter];
    counts.push(() => tally.add(`coder ${kind}`, before - faults[counter]));
  }
}

function answerFault({ kind, which, times }: Extract<CoderFault, { which: unknown }>): AnswerFault {
  const method = which === "any" ? "GET" : "POST";
  const common = { method, path: coderPath[which], times };
  const html = "<html><h1>502 Bad Gateway</h1></html>";
  switch (kind) {
    case "bad-gateway":
      return { ...common, effect: "before", answer: { status: 502, html } };
    case "rate-limit":
      return {
        ...common,
        effect: "before",
        answer: {
          status: 429,
          headers: { "retry-after": "0" },
          body: { message: "You've been rate limited" },
        },
      };
    case "lost-answer":
      return { ...common, effect: "after", answer: "drop" };
    case "refused-connection":
      return { ...common, effect: "before", answer: "drop" };
    case "delete-conflict":
      return {
        ...common,
        effect: "before",
        answer: { status: 409, body: { message: "A workspace build is already active." } },
      };
  }
}

/**
 * Acts like an administrator or autostop: a running Coder workspace gets another build. Returns the number of such Coder
 * workspaces.
 */
function endUnderneath(coder: CoderStandIn, transition: "stop" | "delete"): number {
  const up = coder.state.workspaces.find((workspace) => {
    const { transition, job, parameters } = latestBuild(workspace);
    const isOurs = (parameters["run_id"] ?? "") !== "";
    return isOurs && !workspace.isDeleted && transition === "start" && job === "succeeded";
  });
  if (up === undefined) return 0;
  coder.state.addBuild(up, transition);
  return 1;
}

const startBuilds: Partial<Record<LastingFaultKind, CoderStandIn["faults"]["startBuild"]>> = {
  "build-fails": "fails",
  quota: "quota",
  "build-pending": "stuck-pending",
  "build-stuck": "stuck-running",
};
const startups: Partial<Record<LastingFaultKind, CoderStandIn["faults"]["startup"]>> = {
  "agent-never-connects": "never-connects",
  "startup-fails": "start_error",
};
const lastingKinds: readonly LastingFaultKind[] = [
  "build-fails",
  "quota",
  "build-pending",
  "build-stuck",
  "agent-never-connects",
  "startup-fails",
  "cli-hangs",
  "index-race",
  "slow-deletes",
  "logged-out",
];
const SLOW_DELETE_MS = 900;

function createLastingFaults(coder: CoderStandIn, deleteMs: number) {
  const { faults, state } = coder;
  const active = new Set<LastingFaultKind>();
  let hung = 0;
  let startsBefore = 0;
  const set = (kind: LastingFaultKind, isOn: boolean): void => {
    const [build, startup] = [startBuilds[kind], startups[kind]];
    if (build !== undefined) faults.startBuild = isOn ? build : "succeeds";
    if (startup !== undefined) faults.startup = isOn ? startup : "ready";
    if (kind === "index-race") faults.uniqueIndexRace = isOn;
    if (kind === "slow-deletes") state.timings.deleteMs = isOn ? SLOW_DELETE_MS : deleteMs;
    if (kind === "logged-out") faults.unauthorized = isOn;
    if (kind === "cli-hangs") {
      if (isOn) startsBefore = coder.invocations().length;
      else hung += coder.invocations().length - startsBefore;
      coder.configureCli({ hangs: isOn });
    }
  };
  return {
    on: (kind: LastingFaultKind): void => {
      if (active.has(kind)) return;
      active.add(kind);
      set(kind, true);
    },
    off: (kind: LastingFaultKind): void => {
      if (active.delete(kind)) set(kind, false);
    },
    saw: (call: StandInCall, tally: Tally): void => {
      if (call.type === "ssh") return;
      if (active.has("slow-deletes") && isCoderCall(call, "delete")) tally.add("coder slow-deletes");
      if (active.has("logged-out")) tally.add("coder logged-out");
      const { name = "" } = (call.body ?? {}) as { name?: string };
      if (active.has("index-race") && isCoderCall(call, "create") && coder.liveNames().includes(name))
        tally.add("coder index-race");
    },
    count: (tally: Tally): void => {
      if (active.has("cli-hangs")) set("cli-hangs", false);
      active.delete("cli-hangs");
      tally.add("coder cli-hangs", hung);
      const builds = state.workspaces
        .flatMap(({ builds }) => builds)
        .filter(({ transition }) => transition === "start");
      for (const kind of lastingKinds) {
        const [build, startup] = [startBuilds[kind], startups[kind]];
        const met = builds.filter(({ outcome, startup: end }) =>
          build === undefined ? end === startup : outcome === build,
        );
        if (build !== undefined || startup !== undefined) tally.add(`coder ${kind}`, met.length);
      }
    },
  };
}
