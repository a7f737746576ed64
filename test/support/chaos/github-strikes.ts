import type { Fault, RecordedRequest } from "../github/recording-proxy.ts";
import type { GithubFault, GithubFaultKind } from "./faults.ts";
import { isGithubCall } from "./moments.ts";
import type { Tally } from "./tally.ts";

/** Chooses the fault of each request while faults are enabled. */
export interface GithubStrikes {
  arm(fault: GithubFault): void;
  fate(request: Pick<RecordedRequest, "method" | "path">): Fault | null;
  lift(): void;
}

export function createGithubStrikes(tally: Tally): GithubStrikes {
  let armed: GithubFault[] = [];
  return {
    arm: (fault) => void armed.push({ ...fault }),
    lift: () => void (armed = []),
    fate: (request) => {
      const fault = armed.find(({ which, times }) => times > 0 && isGithubCall(request, which));
      if (fault === undefined) return null;
      fault.times -= 1;
      tally.add(`github ${fault.kind}`);
      return asSeen(fault.kind);
    },
  };
}

/** Shorter than the time that another parent needs for the issue; otherwise no parent could detect the late write. */
const LATE_MS = 300;

function asSeen(kind: GithubFaultKind): Fault {
  switch (kind) {
    case "drop-before":
    case "drop-after":
      return { type: kind };
    case "error-after":
      return { type: "answer-after", status: 500, body: JSON.stringify({ message: "Server Error" }) };
    case "done-late":
      return { type: "done-late", afterMs: LATE_MS };
    case "refused":
      return { type: "answer", status: 422, body: JSON.stringify({ message: "Validation Failed" }) };
    case "bad-gateway":
      return { type: "answer", status: 502, body: "<html>Bad Gateway</html>" };
    case "secondary-limit":
      return {
        type: "answer",
        status: 403,
        headers: { "retry-after": "1" },
        body: JSON.stringify({ message: "You have exceeded a secondary rate limit." }),
      };
  }
}
