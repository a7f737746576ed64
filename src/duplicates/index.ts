export {
  clustersOf,
  type DuplicateCluster,
  type DuplicateFacts,
  type DuplicateLink,
  duplicateOf,
} from "./clusters.ts";
export { type DuplicateIndexes, openDuplicateIndexes } from "./duplicate-indexes.ts";
export { feedIndex, type FeedLimits, type FeedResult, issueText } from "./feed-index.ts";
export { type IssueIndex, openIssueIndex, type SimilarIssue } from "./issue-index.ts";
export type { IssueText } from "./issue-terms.ts";
export {
  type CandidateReasons,
  type DuplicateCandidate,
  offerCandidates,
  offerForIndexed,
} from "./offer-candidates.ts";
export { presentCandidates, SPARE_CANDIDATES } from "./present-candidates.ts";
export { type ReportedCluster, reportedClusters } from "./reported-clusters.ts";
