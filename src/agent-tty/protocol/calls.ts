import * as z from "zod/mini";

export const PROTOCOL_VERSION = 1;

/** The longest wait of a Node timer. */
const MAX_TIMER_MS = 2_147_483_647;
/** null: waits without a limit. */
const timeoutMs = z.nullable(z.int().check(z.positive(), z.maximum(MAX_TIMER_MS)));
const text = z.string();
const size = z.int();

/** The condition of a Render Wait; the engine itself checks it in detail (checkCondition). */
const condition = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Every call that a client may make to the host of one Session (A13). */
export const callSchema = z.discriminatedUnion("method", [
  z.strictObject({ method: z.literal("run"), commandLine: text, timeoutMs, waits: z.boolean() }),
  z.strictObject({ method: z.literal("type"), text }),
  z.strictObject({ method: z.literal("paste"), text }),
  z.strictObject({ method: z.literal("send-keys"), keys: z.array(text).check(z.maxLength(10_000)) }),
  z.strictObject({ method: z.literal("mark"), label: text }),
  z.strictObject({ method: z.literal("resize"), cols: size, rows: size }),
  z.strictObject({ method: z.literal("signal"), signal: text }),
  /** All parts must hold: what the screen shows (empty: anything), silence of the Event Log, the program's end. */
  z.strictObject({
    method: z.literal("wait"),
    condition,
    idleMs: z.nullable(z.int().check(z.positive(), z.maximum(MAX_TIMER_MS))),
    exit: z.boolean(),
    timeoutMs,
  }),
  z.strictObject({
    method: z.literal("snapshot"),
    format: z.enum(["text", "structured"]),
    detail: z.strictObject({ cells: z.boolean(), scrollback: z.boolean() }),
  }),
  z.strictObject({ method: z.literal("status") }),
  z.strictObject({ method: z.literal("destroy"), force: z.boolean() }),
]);

export const requestSchema = z.object({
  v: z.int(),
  id: z.int().check(z.nonnegative()),
  call: z.unknown(),
});

export type Call = z.infer<typeof callSchema>;
export type Method = Call["method"];
