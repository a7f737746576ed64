export { planReaping } from "./reap.ts";
export { reapLeaked } from "./reap-leaked.ts";
export { unpublishedFacts, unpublishedRuns } from "./unpublished-runs.ts";
