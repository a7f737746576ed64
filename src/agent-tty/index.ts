export type { SessionExit, SessionStatus } from "./home/index.ts";
export type { EventRange, Session, SessionSpec, WaitedRunResult, WaitOptions } from "./host/session.ts";
export type { SemanticSnapshot } from "./screen/index.ts";
export type { RenderWaitCondition, RenderWaitResult } from "./wait/index.ts";
