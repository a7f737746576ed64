import { pageNonce } from "../browser/index.ts";
import { REQUEST } from "./early-answers.ts";

/**
 * Runs before the page's main script, and requests what a run's recording needs while the main script is still being read (B5):
 * the script of terminals, the run, and the last part of its recording. A report has no server to ask.
 */
const RUN_TERMINAL = /^#\/runs\/([^/?]+)(?:\/terminal)?$/;

const id = RUN_TERMINAL.exec(window.location.hash)?.[1];
if (id !== undefined && document.documentElement.dataset["report"] === undefined) {
  const path = `/api/runs/${id}`;
  window.afkTriageEarly = new Map(
    [path, `${path}/recording?terminal=triage-agent`].map((asked) => [asked, fetch(asked, REQUEST)]),
  );
  // A failure is handled by the caller that takes the response.
  for (const answer of window.afkTriageEarly.values()) answer.catch(() => undefined);
  const preload = document.createElement("link");
  preload.rel = "preload";
  preload.as = "script";
  preload.nonce = pageNonce();
  preload.href = document.querySelector<HTMLLinkElement>("#terminal-script")?.href ?? "terminal.js";
  document.head.append(preload);
}
