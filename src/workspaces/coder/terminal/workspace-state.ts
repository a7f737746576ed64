import { systemClock, startDeadline } from "agent-tty/kit";
import { z } from "zod";

const LOOK_TIMEOUT_MS = 10_000;
const facts = z.looseObject({ latest_build: z.looseObject({ transition: z.string() }) });

/** Returns the state from one read of the API, which is decisive when an exit status of `coder ssh` says nothing. */
export async function workspaceState(
  environment: NodeJS.ProcessEnv,
  workspaceId: string,
): Promise<"started" | "ended" | "unknown"> {
  using deadline = startDeadline(systemClock, "the look at the Coder workspace", LOOK_TIMEOUT_MS);
  const address = `${(environment["CODER_URL"] ?? "").replace(/\/+$/, "")}/api/v2/workspaces/${workspaceId}`;
  try {
    const response = await fetch(address, {
      headers: { "coder-session-token": environment["CODER_SESSION_TOKEN"] ?? "" },
      redirect: "manual",
      signal: deadline.signal,
    });
    if (response.status === 404 || response.status === 410) return "ended";
    const parsed = facts.safeParse(await response.json());
    if (response.status !== 200 || !parsed.success) return "unknown";
    return parsed.data.latest_build.transition === "start" ? "started" : "ended";
  } catch {
    return "unknown";
  }
}
