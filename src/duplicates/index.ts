export {
  /** @tools Used by tests until the board shows clusters. */
  clustersOf,
  type DuplicateCluster,
  type DuplicateFacts,
  type DuplicateLink,
  /** @tools Used by tests until a command shows it. */
  duplicateOf,
} from "./clusters.ts";
export { type DuplicateIndexes, openDuplicateIndexes } from "./duplicate-indexes.ts";
export { feedIndex, type FeedResult, issueText } from "./feed-index.ts";
export { type IssueIndex, openIssueIndex, type SimilarIssue } from "./issue-index.ts";
export type { IssueText } from "./issue-terms.ts";
export {
  type CandidateReasons,
  type DuplicateCandidate,
  offerCandidates,
  /** @tools Used by tests until a command shows it. */
  offerForIndexed,
} from "./offer-candidates.ts";
