export { type ReadProposal, readProposal, unverifiedProposal } from "./read-proposal.ts";
export { type DecidedOutcome, recordDecided } from "./record-decided.ts";
export { observeOutcomes } from "./observe-outcomes.ts";
export { suggestNatively } from "./suggest-natively.ts";
export { settleAutonomy } from "./settle-autonomy.ts";
