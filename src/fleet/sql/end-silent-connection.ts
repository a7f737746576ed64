import { Socket } from "node:net";
import { Client, type ClientBase } from "pg";

/**
 * The default of `answerMs`. PostgreSQL refuses a statement sooner (`statement_timeout`), so a missing answer means that PostgreSQL
 * or the network is gone.
 */
const ANSWER_MS = 15_000;

/**
 * Breaks a connection over which PostgreSQL owes an answer and sends nothing for `answerMs` milliseconds. The operating system
 * reports a machine that vanished only after about a quarter of an hour. Call it once the connection is made.
 */
export function endSilentConnection(client: ClientBase, answerMs = ANSWER_MS): void {
  // The types of a pool do not say that its clients are of this class.
  if (!(client instanceof Client)) return;
  const { connection } = client;
  const { stream } = connection;
  if (!(stream instanceof Socket)) return;
  let answered = stream.bytesWritten;
  // This listener runs before the client's own listener, which sends the next statement.
  connection.prependListener("readyForQuery", () => (answered = stream.bytesWritten));
  stream.setTimeout(answerMs);
  // The socket emits `timeout` again after each quiet period.
  stream.on("timeout", () => {
    if (stream.bytesWritten === answered) return;
    stream.destroy(new Error(`the server has sent nothing for ${Math.round(answerMs / 1_000)} s`));
  });
}
