export { claimedPackage } from "./claimed-package.ts";
export { type AlreadyFixed, alreadyFixed } from "./already-fixed.ts";
export { deepenCommand } from "./deepen.ts";
export { describeRange } from "./describe-range.ts";
export { edgesOf, type Edge, flipsOf, nextBeyond } from "./edges.ts";
export type { PublishedVersions, RangeHistory, RangeRegistry } from "./history.ts";
export { type Line, nextProbe, type ProbeState, startLine, withState } from "./line.ts";
export { type ReportedVersion, reportedVersion } from "./reported-version.ts";
export { type RangePorts, type RangeRequest, searchRange } from "./search-range.ts";
export { type Version, versionLine } from "./version-line.ts";
export { compareVersions, parseVersion } from "./version-number.ts";
export { rangeInPlace } from "./range-in-place.ts";
export type { PlaceShell, SearchShell } from "./place-shell.ts";
export type { ProbeSettings } from "./place-probe.ts";
export {
  bareCheckoutLines,
  checkoutLines,
  probeCommit,
  runCommand,
  runIn,
  runScriptIn,
  setupLines,
} from "./place-probe.ts";
export { reportedTag } from "./reported-tag.ts";
export { ask } from "./place-shell.ts";
