export { createVisitor, type VisitPorts } from "./visit-issue.ts";
export { tellParents } from "./tell-parents.ts";
