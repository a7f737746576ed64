/**
 * Replies that tmux has given already: device attributes, device status, cursor position. The Session's own terminal
 * answers the same queries, and a program that gets two answers takes the second for typed text. Modified F3 has the
 * shape of a cursor position in the first row, so that row passes.
 */
const ANSWERED_BY_TMUX = /^(?:\x1b\[[?>]?[\d;]*c|\x1b\[0n|\x1b\[(?!1;[2-8]R)\d+;\d+R)+$/;

export function isAnsweredByTmux(typed: Buffer): boolean {
  return typed.byteLength <= 64 && ANSWERED_BY_TMUX.test(typed.toString("latin1"));
}
