// The stand-in's `coder` executable (2.35 behaviour): version, whoami and ssh. Started through a wrapper that
// `startCoderStandIn` writes; CODER_STAND_IN_DIRECTORY tells where its behaviour is configured and recorded.
import { execFileSync, spawn as spawnProcess } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const directory = process.env["CODER_STAND_IN_DIRECTORY"];
const readBehaviour = () => JSON.parse(readFileSync(`${directory}/cli.json`, "utf8"));
const behaviour = readBehaviour();

const GLOBAL_FLAGS = {
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
const COMMANDS = {
  version: { flags: { output: "string", o: "output" }, run: version },
  whoami: { flags: { output: "string", o: "output" }, run: whoami },
  ssh: {
    flags: {
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
    },
    run: ssh,
  },
};

class CliError extends Error {}

const argv = process.argv.slice(2);
recordInvocation();
// As a stalled network: it goes on where it was once that is over.
for (let { hangs } = behaviour; hangs; { hangs } = readBehaviour()) await delay(50);
const name = argv.find((word) => !word.startsWith("-"));
const command = COMMANDS[name];
if (command === undefined) {
  process.stderr.write(`Encountered an error running "coder", see "coder --help" for more information\n`);
  process.stderr.write(`error: unknown subcommand "${name}"\n`);
  process.exit(1);
}
let parsed;
try {
  parsed = parse(argv, { ...GLOBAL_FLAGS, ...command.flags });
} catch (error) {
  process.stderr.write(`parsing flags ([${argv.join(" ")}]) for "coder ${name}": ${error.message}\n`);
  process.exit(1);
}
try {
  await command.run(parsed);
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  process.stderr.write(
    `Encountered an error running "coder ${name}", see "coder ${name} --help" for more information\n`,
  );
  process.stderr.write(`error: ${error.message}\n`);
  process.exit(1);
}

function recordInvocation() {
  const env = { ...process.env };
  for (const name of [
    "CODER_STAND_IN",
    "CODER_STAND_IN_DIRECTORY",
    "AFK_TEST_RUN",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
  ])
    delete env[name];
  appendFileSync(`${directory}/invocations.jsonl`, `${JSON.stringify({ argv, env })}\n`);
}

/** pflag: interspersed until `--`, shorthand clusters, `--flag=value`. */
function parse(words, flags) {
  const options = {};
  const positional = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === "--") {
      positional.push(...words.slice(index + 1));
      break;
    }
    if (word.startsWith("--")) {
      const [flag, inline] = splitOnce(word.slice(2), "=");
      const kind = flag.length > 1 ? flags[flag] : undefined;
      if (kind === undefined) throw new Error(`unknown flag: --${flag}`);
      if (kind === "boolean") options[flag] = inline === undefined ? true : inline === "true";
      else options[flag] = inline ?? takeValue(words, (index += 1), `--${flag}`);
    } else if (word.startsWith("-") && word.length > 1) {
      for (let at = 1; at < word.length; at += 1) {
        const flag = flags[word[at]];
        if (flag === undefined || word[at].length > 1)
          throw new Error(`unknown shorthand flag: '${word[at]}' in ${word}`);
        if (flags[flag] === "boolean") options[flag] = true;
        else {
          options[flag] =
            at + 1 < word.length ? word.slice(at + 1) : takeValue(words, (index += 1), `-${word[at]}`);
          break;
        }
      }
    } else positional.push(word);
  }
  return { options, positional: positional.slice(1) };
}

function takeValue(words, index, flag) {
  if (index >= words.length) throw new Error(`flag needs an argument: ${flag}`);
  return words[index];
}

function splitOnce(text, separator) {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function version({ options }) {
  const [, short = ""] = splitOnce(behaviour.version, "+");
  if (options.output === "json")
    process.stdout.write(
      JSON.stringify({
        version: behaviour.version,
        build_time: "2026-07-07T00:00:00Z",
        external_url: short,
        slim: false,
        agpl: false,
        boring_crypto: false,
      }),
    );
  else process.stdout.write(`Coder ${behaviour.version}\n`);
}

async function whoami({ options }) {
  const { id, username, organization_ids } = await request(options, "/api/v2/users/me");
  if (options.output === "json")
    process.stdout.write(
      JSON.stringify([
        { url: address(options), username, user_id: id, organization_ids, roles: { "*": ["Member"] } },
      ]),
    );
  else
    process.stdout.write(`Coder is running at ${address(options)}, you're authenticated as ${username} !\n`);
}

function address(options) {
  const url = options.url ?? process.env["CODER_URL"];
  if (!url) throw new CliError("You are not logged in. Try logging in using 'coder login <url>'.");
  return url;
}

function request(options, path, onStream) {
  const url = new URL(path, address(options));
  const headers = { "coder-session-token": options.token ?? process.env["CODER_SESSION_TOKEN"] ?? "" };
  return new Promise((resolve, reject) => {
    const call = http.get(url, { headers, agent: false }, (response) => {
      if (response.statusCode === 401)
        return reject(
          new CliError(
            "You are signed out or your session has expired. Please sign in again to continue.\nSuggestion: Try logging in using 'coder login'.",
          ),
        );
      if (onStream !== undefined) return resolve(onStream(response, call));
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve(JSON.parse(text)));
    });
    call.on("error", (error) => reject(new CliError(error.message)));
  });
}

async function ssh({ options, positional }) {
  const [target, ...words] = positional;
  if (target === undefined) throw new CliError("wanted at least 1 args but got 0");
  const isAutostartDisabled =
    options["disable-autostart"] === true || process.env["CODER_SSH_DISABLE_AUTOSTART"] === "true";
  // The stand-in never starts anything by itself: a caller that forgets the flag has to notice.
  if (!isAutostartDisabled) throw new CliError("the stand-in insists on --disable-autostart");
  const wait = options.wait ?? process.env["CODER_SSH_WAIT"] ?? "auto";
  if (!["yes", "no", "auto"].includes(wait)) throw new CliError(`unknown wait value "${wait}"`);
  checkEnvironmentFlag(options.env);
  const session = await admission(options, target, wait);
  if (session.drop) lost();
  let connection;
  await request(options, `/stand-in/hold?session=${session.sessionId}`, (response, call) => {
    connection = call;
    response.resume();
    response.on("end", lost);
    response.on("error", lost);
    response.on("close", lost);
  });
  connection.on("error", lost);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(255));
  const text = words.join(" ");
  const isTty = text === "" || options.tty === true;
  const environment = {
    ...session.env,
    PATH: behaviour.pathPrefix + "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    // Only for the leak check of the test run.
    AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
  };
  const exitCode = isTty
    ? await runOnPty(text, session.home, environment)
    : await runOnPipes(text, session.home, environment);
  process.exit(exitCode);
}

/** `--env` is a CSV record: a value with a bare quote or a further comma-separated field breaks. */
function checkEnvironmentFlag(record) {
  for (const field of record === undefined ? [] : record.split(","))
    if (!field.includes("=")) throw new CliError(`format key=value expected, but got ${field}`);
}

async function admission(options, target, wait) {
  for (;;) {
    const query = new URLSearchParams({ target, wait });
    const decision = await request(options, `/stand-in/ssh?${query}`);
    if (decision.type === "refused") throw new CliError(decision.message);
    if (decision.type === "session") return decision;
    await delay(20);
  }
}

function lost() {
  process.stderr.write("SSH connection ended unexpectedly\n", () => process.exit(255));
}

/** No PTY: stdin's end reaches the command, which survives the loss of the connection with closed pipes. */
function runOnPipes(text, home, env) {
  const child = spawnProcess("/bin/bash", ["-c", text], { cwd: home, env, detached: true, stdio: "pipe" });
  process.stdin.pipe(child.stdin);
  child.stdin.on("error", () => process.stdin.unpipe());
  const flushed = [copy(child.stdout, process.stdout), copy(child.stderr, process.stderr)];
  return new Promise((resolve) => {
    child.on("exit", (code) => {
      void Promise.all(flushed).then(() => resolve(code ?? 255));
    });
  });
}

function copy(source, sink) {
  return new Promise((resolve) => {
    source.on("data", (chunk) => {
      if (!sink.write(chunk)) {
        source.pause();
        sink.once("drain", () => source.resume());
      }
    });
    source.on("end", () => sink.write("", () => resolve()));
    sink.on("error", () => process.exit(255));
  });
}

/** A PTY of 128x128, whatever the local size is; only the shell form and SIGWINCH forward the local one. */
async function runOnPty(text, home, env) {
  const { spawn } = await import("@lydell/node-pty");
  const isLocalTty = process.stdin.isTTY && process.stdout.isTTY;
  const [cols, rows] = text === "" && isLocalTty ? process.stdout.getWindowSize() : [128, 128];
  const words = text === "" ? ["-l"] : ["-c", text];
  const remote = spawn("/bin/bash", words, {
    name: "xterm-256color",
    cols,
    rows,
    cwd: home,
    env: { ...env, SSH_TTY: "/dev/pts/0" },
    encoding: null,
  });
  if (isLocalTty) {
    // Not setRawMode: libuv's raw mode goes on turning \n into \r\n, Go's term.MakeRaw does not.
    execFileSync("stty", ["raw", "-echo"], { stdio: "inherit" });
    process.on("SIGWINCH", () => {
      process.stdout._refreshSize?.();
      remote.resize(...process.stdout.getWindowSize());
    });
  }
  process.stdin.on("data", (chunk) => remote.write(chunk));
  remote.onData((chunk) => process.stdout.write(chunk));
  process.on("exit", () => {
    try {
      remote.kill("SIGHUP");
    } catch {
      // It has ended.
    }
  });
  return new Promise((resolve) => {
    remote.onExit(({ exitCode, signal }) => {
      process.stdout.write("", () => resolve(signal ? 255 : exitCode));
    });
  });
}
