import type { Traffic } from "../../test/support/model-server/index.ts";
import type { Scenario } from "./scenario.ts";

/** A CLI that is configured only for a scripted model. */
export interface PreparedTool extends AsyncDisposable {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Matches the screen as soon as the prompt is shown, and not before. */
  promptShown: RegExp;
  trustShown: RegExp;
  /** Matches the screen while the row that trusts the folder is selected. */
  trustSelected: RegExp;
  permissionShown: RegExp;
  /** The keys that interrupt a Turn. Default: Esc. */
  interruptKeys?: readonly [string, ...string[]];
  /** How long the tool may ignore input after it has painted its prompt. */
  startGuardMs: number;
  /** How long the tool may show work after the end of a Turn. Default: no longer than other tools. */
  endGuardMs?: number;
  /** The requests that the server refused; empty if the recording matches its scenario. */
  readonly refusals: readonly string[];
}

export interface Preparation {
  program: string;
  scenario: Scenario;
  /** A home directory that only this recording uses. */
  home: string;
  checkout: string;
  onTraffic: (traffic: Traffic) => void;
}
