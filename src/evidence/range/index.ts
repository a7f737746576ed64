export { edgesOf, type Edge, flipsOf, nextBeyond } from "./edges.ts";
export type { PublishedVersions, RangeHistory, RangeRegistry } from "./history.ts";
export { type Line, nextProbe, type ProbeState, startLine, withState } from "./line.ts";
export { type ReportedVersion, reportedVersion } from "./reported-version.ts";
export { type RangePorts, type RangeRequest, searchRange } from "./search-range.ts";
export { type Version, versionLine } from "./version-line.ts";
export { compareVersions, parseVersion } from "./version-number.ts";
