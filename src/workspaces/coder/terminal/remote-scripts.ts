import { shellQuote } from "agent-tty/kit";
import { remoteBash } from "./remote-bash.ts";

/** One terminal inside a Coder workspace: a pane of its own tmux server, which outlives every connection. */
export interface RemoteTerminal {
  /** The name of the tmux server's socket. It is a short word, since socket paths are at most 108 bytes long. */
  name: string;
  /** The directory of output and state, used by this terminal alone. */
  stateDirectory: string;
  /** The directory in which bash starts. */
  directory: string;
  rcFile: string;
  /** Marks the reports of the scripts among whatever else arrives. */
  nonce: string;
  /** The least number of bytes of output that are kept. */
  keptBytes: number;
}

const BLOCK_BYTES = 16_384;
/** The number of files in which output is kept; when there are more, the oldest is removed. */
const SEGMENTS = 4;

/**
 * A POSIX shell command line that exits 0 if a terminal can be held: with tmux 3 (`send-keys -H`, `resize-window`) and a `tail`
 * that ends when a writer ends.
 */
export const TMUX_PROBE =
  'case "$(tmux -V 2>/dev/null)" in "tmux "[3-9]*|"tmux next-"*) tail --help 2>&1 | grep -q -e --pid ;; *) false ;; esac';

/**
 * Returns the beginning of the mark that the pane's shell prints when bash has ended. Later output does not belong to this
 * terminal.
 */
export function endMarkStart(nonce: string): string {
  return `\x1b]7717;${nonce};X;`;
}

/**
 * Returns the command line of one connection, which runs without a PTY. It starts the terminal if it does not exist yet, then
 * copies its output from byte `offset` on to stdout and carries out the frames that arrive on stdin.
 *
 * Reports on stderr, one line each after the nonce: `at OFFSET ACKED` before the first byte, `ack SEQ`, `beat` every ten seconds,
 * `gone` when there is no terminal (any more).
 *
 * Frames on stdin, one line each: `SEQ k HEX HEX …` types bytes, `SEQ r COLS ROWS` resizes, `SEQ q` ends the terminal. A frame is
 * carried out once, even if it is sent several times.
 */
export function attachCommand(
  terminal: RemoteTerminal,
  { offset, cols, rows }: { offset: number; cols: number; rows: number },
): string {
  const script = [settings(terminal), START, READER, MAIN].join("\n");
  return remoteBash(script, ["afk-terminal", offset, cols, rows]);
}

function settings({ name, stateDirectory, directory, rcFile, nonce, keptBytes }: RemoteTerminal): string {
  return [
    `d=${shellQuote(stateDirectory)} name=${shellQuote(name)} nonce=${shellQuote(nonce)}`,
    `directory=${shellQuote(directory)} rc=${shellQuote(rcFile)} offset=$1 cols=$2 rows=$3`,
    `AFK_PUMP=${shellQuote(PUMP)} AFK_SHELL=${shellQuote(SHELL)}`,
    `AFK_KEPT=${keptBytes} AFK_BLOCKS=${Math.ceil(keptBytes / SEGMENTS / BLOCK_BYTES)}`,
    'say() { printf "%s %s\\n" "$nonce" "$*" >&2; }',
    't() { tmux -L "$name" -f /dev/null "$@"; }',
  ].join("\n");
}

/**
 * The program of tmux's `pipe-pane`: it stores the bytes of the pane as the program wrote them, in files named after the offset
 * of their first byte. The oldest files are removed, so that endless output does not fill the disk (S11). A file that names its
 * writer appears complete, because a reader that finds it empty assumes that the terminal is gone.
 */
const PUMP = `cd "$AFK_STATE" || exit; exec 3<&0; at=0
while :; do
  dd bs=${BLOCK_BYTES} count="$AFK_BLOCKS" of="out.$at" <&3 2>/dev/null &
  echo "$!" >writer.new && mv -f writer.new "writer.$at"
  wait "$!"
  size=$(wc -c <"out.$at")
  [ "$size" -gt 0 ] || break
  at=$((at + size))
  for file in out.*; do
    start=\${file#out.}
    if [ $((at - start)) -gt "$AFK_KEPT" ]; then rm -f "$file" "writer.$start"; fi
  done
done`;

/** The pane's program. It waits until the pump runs, and stays after bash so that the pump loses nothing. */
const SHELL = `state=$AFK_STATE nonce=$AFK_NONCE directory=$AFK_DIRECTORY rc=$AFK_RC
unset TMUX TMUX_PANE AFK_PUMP AFK_SHELL AFK_KEPT AFK_BLOCKS AFK_STATE AFK_NONCE AFK_DIRECTORY AFK_RC
export TERM=xterm-256color COLORTERM=truecolor
tries=0
until [ -e "$state/go" ] || [ "$tries" -gt 600 ]; do sleep 0.05; tries=$((tries + 1)); done
cd -- "$directory" && bash --noediting --rcfile "$rc" -i
printf '\\033]7717;%s;X;%s\\a' "$nonce" "$?"
exec sleep 86400`;

/**
 * Starts the terminal. The file `started` exists only when pump and pane run, so a start that was cut off is repeated from the
 * beginning.
 */
const START = `umask 077
if ! [ -e "$d/started" ]; then
  if [ "$offset" != 0 ]; then say gone; exit 1; fi
  t kill-server 2>/dev/null
  mkdir -p -- "$d" && cd -- "$d" && rm -f out.* writer.* || { say gone; exit 1; }
  export AFK_PUMP AFK_SHELL AFK_KEPT AFK_BLOCKS AFK_STATE=$d AFK_NONCE=$nonce AFK_DIRECTORY=$directory AFK_RC=$rc
  t new-session -d -s main -x "$cols" -y "$rows" bash --norc -c 'eval "$AFK_SHELL"' \\; \\
    set -g @acked 0 \\; set -g status off \\; set -g mouse off \\; set -g escape-time 0 \\; set -g history-limit 2000 >/dev/null || { say gone; exit 1; }
  t pipe-pane -O -t main 'exec bash --norc -c "$AFK_PUMP"' || { say gone; exit 1; }
  : >started
fi
cd -- "$d" || { say gone; exit 1; }
: >go
acked=$(t show -gqv @acked 2>/dev/null)
case $acked in '' | *[!0-9]*) acked=0 ;; esac`;

/**
 * Copies the kept output to stdout. `tail` ends when the writer of its file has moved on to the next one; then the next file
 * follows. A file that was removed before it was read is neither an end nor waited for. On a busy machine the pump may not run
 * yet: then the connection ends, and the next one tries again.
 */
const READER = `newest() {
  last=
  for file in out.*; do
    if [ -e "$file" ] && [ "\${file#out.}" -ge "\${last:-0}" ]; then last=\${file#out.}; fi
  done
}
await() {
  tries=0
  until [ -e "$1" ]; do
    newest
    [ "$tries" -lt 100 ] && [ "\${last:-0}" -le "$segment" ] || return 1
    sleep 0.05
    tries=$((tries + 1))
  done
}
reader() {
  tail_pid= segment=0
  trap 'kill $tail_pid 2>/dev/null; exit' TERM
  await out.0 || [ "$offset" != 0 ] || { newest && [ -n "$last" ]; } || { t has-session -t main 2>/dev/null || say gone; return; }
  at=$offset segment=-1 first=
  for file in out.*; do
    [ -e "$file" ] || continue
    start=\${file#out.}
    if [ -z "$first" ] || [ "$start" -lt "$first" ]; then first=$start; fi
    if [ "$start" -le "$at" ] && [ "$start" -gt "$segment" ]; then segment=$start; fi
  done
  if [ "$segment" = -1 ]; then segment=$first at=$first; fi
  say at "$at" "$acked"
  while await "writer.$segment"; do
    tail -s 0.1 -f --pid="$(cat "writer.$segment")" -c "+$((at - segment + 1))" "out.$segment" 2>/dev/null &
    tail_pid=$!
    wait "$tail_pid"
    size=$(wc -c <"out.$segment" 2>/dev/null) || return
    [ "\${size:-0}" -gt 0 ] || break
    at=$((segment + size)) segment=$((segment + size))
    t has-session -t main 2>/dev/null || [ -e "out.$segment" ] || break
    await "out.$segment" || return
  done
  newest
  if [ "\${last:-0}" -gt "$segment" ]; then return; fi
  say gone
}`;

/**
 * First ends the connection that was attached before, because it may still hold frames of a connection that was lost long ago.
 * Its last call of tmux may outlive it on a busy machine, and the next connection sends that frame again. Therefore tmux's server
 * itself compares a frame's number with the last one, stores it and carries out the frame, in one step: the later call of the two
 * does nothing.
 */
const MAIN = `before=$(cat attached 2>/dev/null)
t has-session -t main 2>/dev/null || before=
case $before in '' | *[!0-9]*) ;; *)
  tries=0
  while kill -TERM "$before" 2>/dev/null && [ "$tries" -lt 40 ]; do sleep 0.05; tries=$((tries + 1)); done
  kill -KILL "$before" 2>/dev/null
  acked=$(t show -gqv @acked 2>/dev/null || echo 0) ;;
esac
echo "$$" >attached
{ reader; kill -TERM "$$"; } </dev/null &
reader_pid=$!
{ while sleep 10 2>/dev/null; do say beat; done; } </dev/null >/dev/null &
beat_pid=$!
trap 'kill "$reader_pid" "$beat_pid" 2>/dev/null; rm -f attached; exit 0' TERM EXIT
while IFS=' ' read -r seq kind rest; do
  [ "$seq" -gt "$acked" ] 2>/dev/null || continue
  case $kind in
    q) t kill-server; exit 0 ;;
    k) call="send-keys -t main -H $rest" ;;
    r) call="resize-window -t main -x \${rest% *} -y \${rest#* }" ;;
  esac
  t if-shell -F "#{==:#{@acked},$((seq - 1))}" "set -g @acked $seq ; $call"
  acked=$seq
  say ack "$acked"
done`;
