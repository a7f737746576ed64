import { z } from "zod";

/** The properties of a deployment and a backlog that determine capacity. Times are in milliseconds, rates per minute. */
export const scenarioSchema = z.strictObject({
  issues: z.int().positive(),
  /** The number of parents that run at the same time, each with up to `cap` concurrent Triage Runs. */
  shards: z.int().positive(),
  cap: z.int().positive(),
  buildMs: z.number().nonnegative(),
  runMs: z.number().nonnegative(),
  deleteMs: z.number().nonnegative(),
  /** The number of builds and deletions that the deployment's provisioners do at the same time. */
  provisioners: z.int().positive(),
  coderRequestsPerMinute: z.number().positive(),
  githubRequestsPerMinute: z.number().positive(),
  /** The limit on comments and other new content of one account. */
  githubContentPerMinute: z.number().positive(),
});

export type CapacityScenario = z.infer<typeof scenarioSchema>;

export interface CapacityResult {
  durationMs: number;
  /** The duration if Triage Runs ran in waves and waited for nothing else. */
  idealMs: number;
  /** The share of the whole duration for which each resource was at its limit, 0 to 1. */
  utilisation: Readonly<Record<Resource, number>>;
  /** The resource that all others wait for. */
  saturatedFirst: Resource;
}

export type Resource = "slots" | "provisioners" | "coder-requests" | "github-requests" | "github-content";

/** The requests of one Triage Run, as counted when the real program ran. */
const REQUESTS_PER_ISSUE = { githubReads: 4, githubWrites: 4, githubContent: 1, coder: 12 } as const;

/** The next step of a Triage Run; `startedMs` is when it took its slot. */
interface Event {
  atMs: number;
  stage: "create" | "build" | "read" | "apply" | "destroy" | "delete" | "done";
  startedMs: number;
}

/**
 * Runs a discrete-event simulation: every Triage Run goes through the same stages and waits for the resources that it shares with
 * the others.
 */
export function simulateCapacity(scenario: CapacityScenario): CapacityResult {
  const { issues, shards, cap, buildMs, runMs, deleteMs } = scenario;
  const slots = Math.min(issues, shards * cap);
  const provisioners = new Servers(scenario.provisioners);
  const coder = new Rate(scenario.coderRequestsPerMinute);
  const github = new Rate(scenario.githubRequestsPerMinute);
  const content = new Rate(scenario.githubContentPerMinute);
  const { githubReads, githubWrites, githubContent, coder: coderRequests } = REQUESTS_PER_ISSUE;
  const events = new MinHeap<Event>((event) => event.atMs);
  for (let slot = 0; slot < slots; slot += 1) events.push({ atMs: 0, stage: "create", startedMs: 0 });
  let waiting = issues - slots;
  let endMs = 0;
  let slotBusyMs = 0;
  for (let event = events.pop(); event !== null; event = events.pop()) {
    const { atMs, startedMs } = event;
    const next = (stage: Event["stage"], nextMs: number): void =>
      events.push({ atMs: nextMs, stage, startedMs });
    switch (event.stage) {
      case "create":
        next("build", coder.take(atMs, coderRequests / 2));
        break;
      case "build":
        next("read", provisioners.use(atMs, buildMs));
        break;
      case "read":
        next("apply", github.take(atMs, githubReads) + runMs);
        break;
      case "apply":
        next("destroy", Math.max(github.take(atMs, githubWrites), content.take(atMs, githubContent)));
        break;
      case "destroy":
        next("delete", coder.take(atMs, coderRequests / 2));
        break;
      case "delete":
        next("done", provisioners.use(atMs, deleteMs));
        break;
      case "done":
        endMs = atMs;
        slotBusyMs += atMs - startedMs;
        if (waiting > 0) events.push({ atMs, stage: "create", startedMs: atMs });
        waiting -= 1;
        break;
    }
  }
  const utilisation: Record<Resource, number> = {
    slots: slotBusyMs / (slots * endMs),
    provisioners: provisioners.busyMs / (scenario.provisioners * endMs),
    "coder-requests": coder.busyMs / endMs,
    "github-requests": github.busyMs / endMs,
    "github-content": content.busyMs / endMs,
  };
  return {
    durationMs: endMs,
    idealMs: Math.ceil(issues / slots) * (buildMs + runMs + deleteMs),
    utilisation,
    saturatedFirst: saturated(utilisation),
  };
}

/** Slots stay occupied while they wait for a scarce resource, so they only count as saturated when no other resource is. */
const SATURATED = 0.9;
function saturated(utilisation: Readonly<Record<Resource, number>>): Resource {
  const others = (Object.keys(utilisation) as Resource[]).filter((resource) => resource !== "slots");
  const [busiest = "slots"] = others.toSorted((a, b) => utilisation[b] - utilisation[a]);
  return utilisation[busiest] >= SATURATED ? busiest : "slots";
}

/** A pool of servers, each of which does one thing at a time. Calls must be in order of time. */
class Servers {
  readonly #freeMs: MinHeap<number>;
  busyMs = 0;

  constructor(count: number) {
    this.#freeMs = new MinHeap<number>((freeMs) => freeMs);
    for (let server = 0; server < count; server += 1) this.#freeMs.push(0);
  }

  /** Returns the end time of a job that takes `durationMs` and may begin at `fromMs`. */
  use(fromMs: number, durationMs: number): number {
    const endMs = Math.max(fromMs, this.#freeMs.pop() ?? 0) + durationMs;
    this.#freeMs.push(endMs);
    this.busyMs += durationMs;
    return endMs;
  }
}

/** A quota that refills evenly; requests beyond it are delayed. Calls must be in order of time. */
class Rate {
  readonly #everyMs: number;
  #freeMs = 0;
  busyMs = 0;

  constructor(perMinute: number) {
    this.#everyMs = 60_000 / perMinute;
  }

  /** Returns the time at which `count` requests that may be sent from `fromMs` on have been sent. */
  take(fromMs: number, count: number): number {
    const costMs = count * this.#everyMs;
    this.busyMs += costMs;
    this.#freeMs = Math.max(this.#freeMs, fromMs - SLACK_MS) + costMs;
    return Math.max(fromMs, this.#freeMs);
  }
}

/** The unused quota of the last minute may be used at once. */
const SLACK_MS = 60_000;

class MinHeap<T> {
  readonly #items: T[] = [];
  readonly #rank: (item: T) => number;

  constructor(rank: (item: T) => number) {
    this.#rank = rank;
  }

  push(item: T): void {
    this.#items.push(item);
    for (let at = this.#items.length - 1; at > 0;) {
      const above = (at - 1) >> 1;
      if (!this.#isLess(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  pop(): T | null {
    const [least = null] = this.#items;
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return least;
    this.#items[0] = last;
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < this.#items.length && this.#isLess(left, least)) least = left;
      if (right < this.#items.length && this.#isLess(right, least)) least = right;
      if (least === at) break;
      this.#swap(at, least);
      at = least;
    }
    return least;
  }

  #isLess(one: number, other: number): boolean {
    return this.#rank(this.#items[one] as T) < this.#rank(this.#items[other] as T);
  }

  #swap(one: number, other: number): void {
    [this.#items[one], this.#items[other]] = [this.#items[other] as T, this.#items[one] as T];
  }
}
