export { type AssistantTurn, callTool, failWith, say, TURN_USAGE } from "./assistant-turn.ts";
export type { Conversation, ToolResult } from "./conversation.ts";
export { type ModelScript, type ModelServer, startModelServer } from "./model-server.ts";
