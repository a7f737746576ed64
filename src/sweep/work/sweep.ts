import type { SweepSettings } from "../settings.ts";
import type { SweptLibrary } from "../swept/index.ts";
import type { CommentAllowance } from "./comment-allowance.ts";

/** State that the parts of one sweep share, in addition to the batch's. */
export interface Sweep {
  settings: SweepSettings;
  library: SweptLibrary;
  allowance: CommentAllowance;
}
