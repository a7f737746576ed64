/** The traffic between a client and the scripted model: the ground truth about what the client was doing when. */
export type Traffic = {
  /** Milliseconds since the epoch. */
  wallMs: number;
  /** The number of the request, from 1. */
  request: number;
} & (
  | { type: "main-request" }
  /** A request of the client itself, such as for a title, outside the conversation. */
  | { type: "side-request" }
  | { type: "first-byte" }
  | { type: "tool-call"; name: string }
  | { type: "last-byte"; stop: "end-turn" | "tool-use" }
  | { type: "error-sent"; status: number }
  | { type: "disconnected" }
  /** The client closed the connection before the answer was complete: it was interrupted. */
  | { type: "client-gone" }
);

type Unstamped<T> = T extends Traffic ? Omit<T, "wallMs"> : never;
export type NoteTraffic = (traffic: Unstamped<Traffic>) => void;
