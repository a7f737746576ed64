export {
  type AssistantTurn,
  callTool,
  failWith,
  say,
  stream,
  type StreamPart,
  TURN_USAGE,
} from "./assistant-turn.ts";
export type { Conversation, ToolResult } from "./conversation.ts";
export { type GeminiServer, startGeminiServer } from "./gemini-server.ts";
export { type ModelScript, type ModelServer, startModelServer } from "./model-server.ts";
export { type ResponsesScript, type ResponsesServer, startResponsesServer } from "./responses-server.ts";
export type { Traffic } from "./traffic.ts";
