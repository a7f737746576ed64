export { type Call, callSchema, type Method, PROTOCOL_VERSION, requestSchema } from "./calls.ts";
export { encodeMessage, FrameDecoder, MAX_REQUEST_BYTES } from "./frames.ts";
export { connectHost, type HostConnection } from "./host-connection.ts";
export { hostUnreachable, type ProtocolErrorCode, protocolViolation } from "./protocol-error.ts";
export type { Reply, Response, RunReply, WaitReply } from "./replies.ts";
export { connectRpcSocket, listenRpcSocket, rpcSocketPath } from "./rpc-socket.ts";
