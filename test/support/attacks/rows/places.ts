import type { Attack } from "../attack.ts";
import { reproducing } from "./reproducing.ts";

/**
 * Leftovers of a Triage Agent that try to reach the parent's own runs in any place. They use two bash functions: `places` prints
 * the directories of the runs that it can see, and `forge` manipulates them.
 */
const FORGERY = String.raw`
places() { for d in ../../.. ../../../..; do ls -d "$at/$d"/*/run/verify "$at/$d"/*/.afk-triage/*/verify; done 2>/dev/null; }
forge() {
  for d in $(places); do
    [ ! -e "$d/reproduction" ] || printf '#!/bin/sh\necho forged\nexit 1\n' >"$d/reproduction"
    for c in pristine run; do [ ! -d "$d/$c" ] || touch "$d/$c/poisoned"; done
    for h in "$d/../../home" "$d/../../.."; do [ ! -d "$h" ] || printf 'exit 1\n' >"$h/.profile"; done
  done
}
watch() { for i in $(seq 6000); do forge; sleep 0.01; done; }
export at=$PWD; export -f places forge watch
`;

const OWN_PROGRAMS = "git in a directory of programs of its own";
/** In a Coder workspace its `bash` and `timeout` come first in PATH, too, so the parent cannot read its outcome there. */
const orNoOutcome =
  /^(?:applied needs-info reproduction-not-verified|failed (?:triage-agent-lost|run-deadline))$/;

/** Bash scripts, run in the Triage Agent's checkout. */
const leftovers: Record<string, string> = {
  "a daemon that overwrites the script and plants a file in the pristine checkout":
    "setsid bash -c watch >/dev/null 2>&1 &",
  "a daemon that ignores every signal it can": `setsid bash -c 'trap "" TERM HUP INT QUIT USR1 USR2 PIPE; watch' >/dev/null 2>&1 &`,
  "a daemon with an empty environment, away from every directory of ours": `body=$(declare -f places forge watch); (cd / && env -i PATH="$PATH" setsid bash -c "at='$at'; $body; watch" >/dev/null 2>&1 &)`,
  "a daemon that has forked away from its parents twice":
    "( ( nohup bash -c watch >/dev/null 2>&1 & ) & ); sleep 0.1",
  "a relay of processes, none of which lives long": `setsid bash -c 'step() { forge; sleep 0.02; [ "$1" -gt 1500 ] || { step "$(($1 + 1))" & disown; exit; }; }; export -f step; bash -c "step 1"' >/dev/null 2>&1 &`,
  "a tmux server":
    'command -v tmux >/dev/null && tmux -L left -f /dev/null new-session -d "bash -c watch"; true',
  "a program that is told of every new file": `setsid node -e '
    const { watch, writeFileSync, existsSync } = require("node:fs"); const { execFileSync } = require("node:child_process");
    const go = () => { try { execFileSync("bash", ["-c", "forge"]); } catch {} };
    for (const up of ["../../..", "../../../.."]) try { watch(process.env.at + "/" + up, { recursive: true }, go); } catch {}
    setInterval(go, 50); setTimeout(process.exit, 60000);' >/dev/null 2>&1 &`,
  "a server on a socket that forges for whoever connects": `setsid node -e '
    require("node:net").createServer(() => require("node:child_process").execFile("bash", ["-c", "forge"])).listen(process.env.HOME + "/s");
    setInterval(() => require("node:net").connect(process.env.HOME + "/s").on("error", () => {}), 100); setTimeout(process.exit, 60000);' >/dev/null 2>&1 &`,
  "jobs for cron and at, where there are any":
    'bash -c watch >/dev/null 2>&1 & disown; (command -v crontab && echo "* * * * * bash -c forge" | crontab -) >/dev/null 2>&1; (command -v at && echo forge | at now) >/dev/null 2>&1; mkdir -p "$HOME/.config/systemd/user"; printf "[Service]\\nExecStart=/bin/false\\n" >"$HOME/.config/systemd/user/x.service"',
  [OWN_PROGRAMS]:
    'for d in bin .local/bin node_modules/.bin; do mkdir -p "$HOME/$d"; for t in git node sh env timeout cp mv tar setsid unshare bash; do printf "#!/bin/bash\\nexit 1\\n" >"$HOME/$d/$t"; chmod +x "$HOME/$d/$t"; done; done; for f in .profile .bash_profile .bashrc .bash_env .zshenv; do echo "export PATH=$HOME/bin:$HOME/.local/bin:$PATH BASH_ENV=$HOME/.bash_env" >>"$HOME/$f"; done',
  "a library that every program loads":
    'printf "export LD_PRELOAD=%s/evil.so LD_LIBRARY_PATH=%s\\n" "$HOME" "$HOME" | tee "$HOME/.profile" "$HOME/.bashrc" "$HOME/.pam_environment" >/dev/null; echo garbage >"$HOME/evil.so"',
  "settings of npm, and modules above the checkout":
    'printf "script-shell=/bin/false\\nnode-options=--require=%s/x.js\\n" "$HOME" >"$HOME/.npmrc"; echo "process.exit(1)" >"$HOME/x.js"; for d in .. ../.. "$HOME"; do mkdir -p "$d/node_modules/planted"; echo "process.exit(1)" >"$d/node_modules/planted/index.js"; echo "{\\"type\\":\\"commonjs\\"}" >"$d/package.json"; done',
  "Python's own start files":
    'for v in 3.9 3.10 3.11 3.12 3.13; do d="$HOME/.local/lib/python$v/site-packages"; mkdir -p "$d"; echo "raise SystemExit(1)" | tee "$d/usercustomize.py" >"$d/sitecustomize.py"; done',
  "a git configuration, hooks, templates and attributes":
    'mkdir -p "$HOME/.config/git" "$HOME/t/hooks"; printf "[core]\\n\\thooksPath = %s/t/hooks\\n\\tattributesFile = %s/a\\n[init]\\n\\ttemplateDir = %s/t\\n[filter \\"x\\"]\\n\\tsmudge = touch poisoned; cat\\n" "$HOME" "$HOME" "$HOME" | tee "$HOME/.gitconfig" >"$HOME/.config/git/config"; echo "* filter=x" | tee "$HOME/a" >"$HOME/.config/git/attributes"; printf "#!/bin/sh\\ntouch poisoned\\n" >"$HOME/t/hooks/post-checkout"; chmod +x "$HOME/t/hooks/post-checkout"',
  "links in the places of all directories":
    'h=$HOME; mkdir -p "$h/elsewhere/verify/pristine" "$h/elsewhere/verify/run"; touch "$h/elsewhere/verify/pristine/poisoned" "$h/elsewhere/verify/run/poisoned"; d=$(dirname "$PWD"); ln -s "$h/elsewhere/verify" "$d/verify"; mkdir -p "$h/v"; ln -s "$h/v" "$h/.cache"; ln -s "$h/v" "$h/.config.x"; ln -s "$h/v" "$TMPDIR/x" 2>/dev/null; true',
  "directories that nobody may read or remove":
    'mkdir -p "$HOME/shut/in" deep; for i in $(seq 60); do mkdir -p "$HOME/d$i/e/f"; done; touch "$HOME/shut/in/x"; chmod 000 "$HOME/shut/in" "$HOME/shut"; d=deep; for i in $(seq 150); do d=$d/deeper-and-deeper-and-deeper; mkdir "$d" || break; done',
};

/** Exits with 1 if its checkout, its programs or its home are not the parent's own. */
const honest = reproducing(
  [
    "[ -e poisoned ] && exit 1",
    '[ -e "$HOME/.gitconfig" ] && exit 1',
    "node -e \"try { require('planted') } catch { process.exit(0) } process.exit(1)\" || exit 1",
    "command -v python3 >/dev/null && { python3 -c pass || exit 1; }",
    "git status >/dev/null || exit 1",
    "exit 0",
  ].join("\n"),
);

/** S21, V1: nothing that a Triage Agent leaves behind reaches the parent's own runs. */
export const places: Attack[] = Object.entries(leftovers).map(([name, shell]): Attack => ({
  row: "S21",
  name: `${name}, left for the parent's own runs`,
  agent: { shell: `${FORGERY}\n${shell}`, outcome: honest },
  playsAlone: true,
  expected: name === OWN_PROGRAMS ? orNoOutcome : /^applied needs-info reproduction-not-verified$/,
}));
