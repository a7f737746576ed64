import { get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "agent-tty/kit";
import type { CliBehaviour } from "./stand-in-model.ts";
import type { SshAdmission } from "./stand-in-ssh.ts";

/** One start of the stand-in's `coder`. */
export interface CliStart {
  argv: string[];
  env: Record<string, string>;
}

/** The task of the process; a `session` and its children run until the stand-in ends them. */
export type CliOrder =
  | { type: "exit"; exitCode: number; stdout: string; stderr: string }
  | {
      type: "session";
      sessionId: string;
      /** Whether the command gets a terminal; otherwise it gets pipes. */
      isTerminal: boolean;
      home: string;
      /** A command line for bash; empty: a login shell. */
      text: string;
      env: Record<string, string>;
    };

type FlagKind = "string" | "boolean";
/** Maps a flag's one-letter shorthand to the flag's name. */
type Flags = Readonly<Record<string, string>>;
type Options = Record<string, string | boolean>;

const GLOBAL_FLAGS: Flags = {
  url: "string",
  token: "string",
  "global-config": "string",
  header: "string",
  "no-version-warning": "boolean",
  "no-feature-warning": "boolean",
  "disable-direct-connections": "boolean",
  verbose: "boolean",
  v: "verbose",
  help: "boolean",
  h: "help",
};
const OUTPUT_FLAGS: Flags = { output: "string", o: "output" };
const SSH_FLAGS: Flags = {
  tty: "boolean",
  t: "tty",
  wait: "string",
  env: "string",
  e: "env",
  "disable-autostart": "boolean",
  "forward-agent": "boolean",
  A: "forward-agent",
  "log-dir": "string",
  l: "log-dir",
  "network-info-dir": "string",
  stdio: "boolean",
  "hostname-suffix": "string",
  "ssh-host-prefix": "string",
};

class CliError extends Error {}

interface Run {
  behaviour: CliBehaviour;
  options: Options;
  positional: string[];
  env: Record<string, string>;
  /** Aborted when the process is gone. */
  signal: AbortSignal;
}

const COMMANDS: Readonly<Record<string, { flags: Flags; run: (run: Run) => CliOrder | Promise<CliOrder> }>> =
  {
    version: { flags: OUTPUT_FLAGS, run: version },
    whoami: { flags: OUTPUT_FLAGS, run: whoami },
    ssh: { flags: SSH_FLAGS, run: ssh },
  };

/** Implements the commands version, whoami and ssh of the `coder` executable 2.35; rejects everything else. */
export async function runCli(
  behaviour: CliBehaviour,
  { argv, env }: CliStart,
  signal: AbortSignal,
): Promise<CliOrder> {
  const name = argv.find((word) => !word.startsWith("-")) ?? "";
  const encountered = (help: string): string =>
    `Encountered an error running "${help}", see "${help} --help" for more information\n`;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return failed(`${encountered("coder")}error: unknown subcommand "${name}"\n`);
  let parsed: { options: Options; positional: string[] };
  try {
    parsed = parse(argv, { ...GLOBAL_FLAGS, ...command.flags });
  } catch (error) {
    return failed(`parsing flags ([${argv.join(" ")}]) for "coder ${name}": ${messageOf(error)}\n`);
  }
  try {
    return await command.run({ behaviour, env, signal, ...parsed });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return failed(`${encountered(`coder ${name}`)}error: ${error.message}\n`);
  }
}

const printed = (stdout: string): CliOrder => ({ type: "exit", exitCode: 0, stdout, stderr: "" });
const failed = (stderr: string): CliOrder => ({ type: "exit", exitCode: 1, stdout: "", stderr });

/** Parses arguments as pflag does: flags anywhere before `--`, shorthand clusters, `--flag=value`. */
function parse(words: readonly string[], flags: Flags): { options: Options; positional: string[] } {
  const options: Options = {};
  const positional: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") {
      positional.push(...words.slice(index + 1));
      break;
    }
    if (word.startsWith("--")) {
      const [flag, inline] = splitOnce(word.slice(2), "=");
      const kind = flag.length > 1 ? kindOf(flags, flag) : undefined;
      if (kind === undefined) throw new Error(`unknown flag: --${flag}`);
      if (kind === "boolean") options[flag] = inline === undefined ? true : inline === "true";
      else options[flag] = inline ?? takeValue(words, (index += 1), `--${flag}`);
    } else if (word.startsWith("-") && word.length > 1) {
      for (let at = 1; at < word.length; at += 1) {
        const letter = word[at] ?? "";
        const flag = Object.hasOwn(flags, letter) ? flags[letter] : undefined;
        if (flag === undefined) throw new Error(`unknown shorthand flag: '${letter}' in ${word}`);
        if (kindOf(flags, flag) === "boolean") options[flag] = true;
        else {
          options[flag] =
            at + 1 < word.length ? word.slice(at + 1) : takeValue(words, (index += 1), `-${letter}`);
          break;
        }
      }
    } else positional.push(word);
  }
  return { options, positional: positional.slice(1) };
}

function kindOf(flags: Flags, flag: string): FlagKind | undefined {
  const kind = Object.hasOwn(flags, flag) ? flags[flag] : undefined;
  return kind === "string" || kind === "boolean" ? kind : undefined;
}

function takeValue(words: readonly string[], index: number, flag: string): string {
  const value = words[index];
  if (value === undefined) throw new Error(`flag needs an argument: ${flag}`);
  return value;
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function version({ behaviour, options }: Run): CliOrder {
  if (options["output"] !== "json") return printed(`Coder ${behaviour.version}\n`);
  const [, short = ""] = splitOnce(behaviour.version, "+");
  return printed(
    JSON.stringify({
      version: behaviour.version,
      build_time: "2026-07-07T00:00:00Z",
      external_url: short,
      slim: false,
      agpl: false,
      boring_crypto: false,
    }),
  );
}

async function whoami(run: Run): Promise<CliOrder> {
  const url = address(run);
  const { id, username, organization_ids } = (await request(run, "/api/v2/users/me")) as Record<
    string,
    string
  >;
  if (run.options["output"] !== "json")
    return printed(`Coder is running at ${url}, you're authenticated as ${username} !\n`);
  return printed(
    JSON.stringify([{ url, username, user_id: id, organization_ids, roles: { "*": ["Member"] } }]),
  );
}

function address({ options, env }: Run): string {
  const url = options["url"] ?? env["CODER_URL"];
  if (typeof url !== "string" || url === "")
    throw new CliError("You are not logged in. Try logging in using 'coder login <url>'.");
  return url;
}

function request(run: Run, path: string): Promise<unknown> {
  const url = new URL(path, address(run));
  const token = run.options["token"] ?? run.env["CODER_SESSION_TOKEN"] ?? "";
  return new Promise((resolve, reject) => {
    const headers = { "coder-session-token": String(token) };
    const call = get(url, { headers, agent: false, signal: run.signal }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        if (response.statusCode === 401) reject(new CliError(SIGNED_OUT));
        else resolve(JSON.parse(text));
      });
    });
    call.on("error", (error) => reject(new CliError(error.message)));
  });
}

const SIGNED_OUT =
  "You are signed out or your session has expired. Please sign in again to continue.\nSuggestion: Try logging in using 'coder login'.";

async function ssh(run: Run): Promise<CliOrder> {
  const { options, env, behaviour } = run;
  const [target, ...words] = run.positional;
  if (target === undefined) throw new CliError("wanted at least 1 args but got 0");
  const isAutostartDisabled =
    options["disable-autostart"] === true || env["CODER_SSH_DISABLE_AUTOSTART"] === "true";
  // The stand-in never starts a Coder workspace automatically, so that a caller that omits the flag gets an error.
  if (!isAutostartDisabled) throw new CliError("the stand-in insists on --disable-autostart");
  const wait = String(options["wait"] ?? env["CODER_SSH_WAIT"] ?? "auto");
  if (!["yes", "no", "auto"].includes(wait)) throw new CliError(`unknown wait value "${wait}"`);
  checkEnvironmentFlag(options["env"]);
  const session = await admission(run, target, wait);
  if (session.drop)
    return { type: "exit", exitCode: 255, stdout: "", stderr: "SSH connection ended unexpectedly\n" };
  const text = words.join(" ");
  const isTerminal = text === "" || options["tty"] === true;
  return {
    type: "session",
    sessionId: session.sessionId,
    isTerminal,
    home: session.home,
    text,
    env: {
      ...session.env,
      PATH: `${behaviour.pathPrefix}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      ...(isTerminal ? { TERM: "xterm-256color", SSH_TTY: "/dev/pts/0" } : {}),
      // Only for the leak check of the test run.
      AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
    },
  };
}

/** `--env` is a CSV record: a value with a bare quote or a further comma-separated field breaks. */
function checkEnvironmentFlag(record: string | boolean | undefined): void {
  for (const field of typeof record === "string" ? record.split(",") : [])
    if (!field.includes("=")) throw new CliError(`format key=value expected, but got ${field}`);
}

async function admission(
  run: Run,
  target: string,
  wait: string,
): Promise<Extract<SshAdmission, { type: "session" }>> {
  const query = new URLSearchParams({ target, wait }).toString();
  for (;;) {
    const decision = (await request(run, `/stand-in/ssh?${query}`)) as SshAdmission;
    if (decision.type === "refused") throw new CliError(decision.message);
    if (decision.type === "session") return decision;
    await delay(20, undefined, { signal: run.signal });
  }
}
