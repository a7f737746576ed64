import { Socket } from "node:net";
import { Client, type ClientBase } from "pg";

/** PostgreSQL refuses a statement sooner (`statement_timeout`), so no answer by then means that it or the way to it is gone. */
const ANSWER_MS = 15_000;

/**
 * Breaks a connection over which PostgreSQL owes an answer and sends nothing for `answerMs` milliseconds. The operating system
 * notices only after about a quarter of an hour that a machine is gone without a word. Call it once the connection is made.
 */
export function endSilentConnection(client: ClientBase, answerMs = ANSWER_MS): void {
  // The types of a pool leave out that its clients are of this class.
  if (!(client instanceof Client)) return;
  const { connection } = client;
  const { stream } = connection;
  if (!(stream instanceof Socket)) return;
  let answered = stream.bytesWritten;
  // Before the client's own listener, which sends the next statement.
  connection.prependListener("readyForQuery", () => (answered = stream.bytesWritten));
  stream.setTimeout(answerMs);
  // At any quiet moment, again and again.
  stream.on("timeout", () => {
    if (stream.bytesWritten === answered) return;
    stream.destroy(new Error(`the server has sent nothing for ${Math.round(answerMs / 1_000)} s`));
  });
}
