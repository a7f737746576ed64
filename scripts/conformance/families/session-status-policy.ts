import { isDestroyed, openHome, type SessionStatus, STATUS_POLICY } from "agent-tty";
import { OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { z } from "zod";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { type CaseReport, compare, notCoveredSections, notExpressible, observed } from "../case-report.ts";
import { family } from "../family.ts";
import { hostedOnFake } from "../hosted-on-fake.ts";

const status = z.enum(["running", "exiting", "exited", "failed", "destroying", "destroyed"]);
const column = z.enum([
  "active",
  "commandable",
  "live_host_eligible",
  "offline_replay_eligible",
  "terminal",
  "collectable",
  "destroyed_status_check",
]);
const schema = z.looseObject({
  columns: z.array(column),
  rows: z.partialRecord(status, z.array(z.union([z.literal(0), z.literal(1)]))),
  invariants: z.array(z.string()).default([]),
  command_target_errors: z
    .array(
      z.object({
        manifest: z.literal("missing").optional(),
        status: status.optional(),
        ok: z.literal(true).optional(),
        error: z.string().optional(),
        asserted_in_origin: z.boolean().default(true),
      }),
    )
    .default([]),
});
type Content = z.infer<typeof schema>;
type TargetCase = Content["command_target_errors"][number];

export const sessionStatusPolicy = family(
  /^agent_tty_session_status_policy\.json$/,
  schema,
  async (content) => {
    const reports = Object.keys(content.rows).map((name) => checkRow(content, status.parse(name)));
    reports.push(...content.invariants.map(checkInvariant));
    for (const target of content.command_target_errors) {
      const report = await checkTarget(target);
      reports.push(target.asserted_in_origin ? report : observed(report));
    }
    const covered = ["columns", "rows", "invariants", "command_target_errors"];
    return [...reports, ...notCoveredSections(content, covered, "unknown section")];
  },
);

function checkRow({ columns, rows }: Content, name: SessionStatus): CaseReport {
  const ours = policyOf(name);
  return compare(
    `policy of ${name}`,
    namedBy(columns, (index) => rows[name]?.[index] === 1),
    namedBy(columns, (index) => ours[columns[index] ?? "active"]),
  );
}

function checkInvariant(text: string): CaseReport {
  const [, left, relation, right] = /^(\w+) (xor|implies) (\w+)$/.exec(text) ?? [];
  const columns = z.tuple([column, column]).safeParse([left, right]);
  if (!columns.success)
    return notExpressible(text, "a Session Status is one value of a union: two at once cannot be written");
  const broken = status.options.filter((name) => {
    const [one, other] = columns.data.map((key) => policyOf(name)[key]);
    return relation === "xor" ? one === other : one === true && other === false;
  });
  return compare(text, [], broken);
}

function policyOf(name: SessionStatus): Record<z.infer<typeof column>, boolean> {
  const policy = STATUS_POLICY[name];
  return {
    active: policy.active,
    commandable: policy.commandable,
    live_host_eligible: policy.liveHostEligible,
    offline_replay_eligible: policy.offlineReplayEligible,
    terminal: policy.terminal,
    collectable: policy.collectable,
    destroyed_status_check: isDestroyed(name),
  };
}

function namedBy(columns: readonly string[], value: (index: number) => boolean): Record<string, boolean> {
  return Object.fromEntries(columns.map((name, index) => [name, value(index)]));
}

async function checkTarget(target: TargetCase): Promise<CaseReport> {
  const id = `command target: ${target.manifest === "missing" ? "missing manifest" : target.status}`;
  const expected = target.error ?? "ok";
  if (target.manifest === "missing") return compare(id, expected, await codeOf(readMissingManifest));
  switch (target.status) {
    case "running":
      return compare(id, expected, await codeWhen(() => Promise.resolve()));
    case "exited":
      return compare(id, expected, await codeWhen(exited));
    case "destroying":
      return compare(id, expected, await codeWhen(async (one) => void one.session.destroy()));
    case "destroyed":
      return compare(
        id,
        expected,
        await codeWhen(async (one) => exited(one).then(() => one.session.destroy())),
      );
    case "exiting":
      return notExpressible(id, "no Session hosted in this process stays in it: its end is one step");
    case "failed":
      return notExpressible(id, "only a disk that refuses the Event Log leads there");
    case undefined:
      return notExpressible(id, "it names no status");
    default:
      return target.status satisfies never;
  }
}

type Hosted = Awaited<ReturnType<typeof hostedOnFake>>;

async function exited({ terminal, session }: Hosted): Promise<unknown> {
  terminal.exit({ type: "code", code: 0 });
  return session.exited;
}

/** Returns the result of a command on a Session after `bring` has brought it into the status. */
async function codeWhen(bring: (hosted: Hosted) => Promise<unknown>): Promise<string> {
  await using hosted = await hostedOnFake("typed-line");
  await bring(hosted);
  return await codeOf(() => hosted.session.mark("a command"));
}

async function readMissingManifest(): Promise<unknown> {
  await using root = await temporaryDirectory();
  const home = await openHome({
    directory: `${root.path}/home`,
    clock: systemClock,
    ids: systemIds(systemClock),
  });
  return await home.readManifest(home.ids.ulid());
}

async function codeOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return "ok";
  } catch (error) {
    if (error instanceof OperationalError) return error.code;
    throw error;
  }
}
