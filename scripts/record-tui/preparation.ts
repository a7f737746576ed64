import type { Traffic } from "../../test/support/model-server/index.ts";
import type { Scenario } from "./scenario.ts";

/** A CLI that talks to a scripted model and knows nothing else. */
export interface PreparedTool extends AsyncDisposable {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** On the screen as soon as the prompt is, and before that not. */
  promptShown: RegExp;
  trustShown: RegExp;
  /** On the screen while the row that trusts the folder is the selected one. */
  trustSelected: RegExp;
  permissionShown: RegExp;
  /** The keys that interrupt a Turn. Default: Esc. */
  interruptKeys?: readonly [string, ...string[]];
  /** How long after its prompt is painted the tool may still not take one. */
  startGuardMs: number;
  /** How long after the end of a Turn it may still show work. Default: no longer than usual. */
  endGuardMs?: number;
  /** The requests that the server refused: empty when the recording is what its scenario says. */
  readonly refusals: readonly string[];
}

export interface Preparation {
  program: string;
  scenario: Scenario;
  /** Private to this recording. */
  home: string;
  checkout: string;
  onTraffic: (traffic: Traffic) => void;
}
