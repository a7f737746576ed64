import type { SweepSettings } from "../settings.ts";
import type { SweptLibrary } from "../swept/index.ts";
import type { CommentAllowance } from "./comment-allowance.ts";

/** What the parts of one sweep share, beside the batch. */
export interface Sweep {
  settings: SweepSettings;
  library: SweptLibrary;
  allowance: CommentAllowance;
}
