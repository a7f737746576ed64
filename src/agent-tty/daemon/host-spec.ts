import * as z from "zod/mini";
import { statusSchema } from "../home/index.ts";

/** Settings that are not in a manifest: the program's whole environment, and how the host treats input and silence. */
const hosting = {
  env: z.record(z.string(), z.string()),
  logsInput: z.boolean(),
  idleTimeoutMs: z.nullable(z.int().check(z.positive())),
  maxLogBytes: z.int().check(z.positive()),
};

/** The specification that a host process reads from stdin. None of it is in its argv or its own environment. */
export const hostSpecSchema = z.object({
  homeDirectory: z.string().check(z.minLength(1)),
  start: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("create"),
      command: z.tuple([z.string()], z.string()),
      cwd: z.string().check(z.minLength(1)),
      cols: z.int(),
      rows: z.int(),
      term: z.string(),
      name: z.nullable(z.string()),
      ...hosting,
    }),
    z.object({ type: z.literal("restart"), sessionId: z.string(), ...hosting }),
  ]),
});

export type HostSpec = z.infer<typeof hostSpecSchema>;

/** The only line that a host process writes to stdout. */
export const hostReportSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("ready"),
    sessionId: z.string(),
    status: statusSchema,
    pid: z.int(),
    hostPid: z.int(),
  }),
  z.object({
    type: z.literal("failed"),
    code: z.string(),
    message: z.string(),
    remedy: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
]);

export type HostReport = z.infer<typeof hostReportSchema>;
