import { shellQuote } from "agent-tty/kit";
import {
  adapterPrograms,
  type LanguageAdapters,
  type LayerRequest,
  type NamedAnswer,
  type Product,
} from "../controls/index.ts";
import { scriptHash } from "../claim.ts";
import type { ControlKind } from "../run-record.ts";
import { APART_PROGRAM, HOME_OF_RUNS, HOME_OF_USER, writeApartProgram } from "./apart.ts";
import type { DeskPaths } from "./desk-paths.ts";

/** The name, below the place's directory, of the checkout in which nothing but its set-up has run. */
export const PRISTINE = "pristine";
/** The names of the files and folders on a desk. */
export const RUN = "run";
const SCRIPT = "reproduction";
const ANSWERS = "answers";
const PROGRAM = "layer";
const CLOCK = "clock";
/** The maximum number of bytes of a checkout's listing, or of all that a turn prints. */
export const LISTING_MAX_BYTES = 256 * 1024 ** 2;
/** Separates the parts of the printed output. */
export const DIVIDER = "\0\n\0";
export const DIVIDE = String.raw`printf '\0\n\0'`;

/** The product state that a real run or a control needs in its checkout. */
export type Preparation =
  | { kind: "real" | Extract<ControlKind, "absent" | "broken"> }
  | {
      kind: Extract<ControlKind, "deaf" | "renumbered">;
      /** A random key of 16 bytes, in hex. */
      token: string;
      version: string;
      /** The product's answers in the renumbered run. */
      remembered: string;
      /** The answers that a deaf product must return; null: other values of the same shape. */
      candidate: NamedAnswer | null;
      /** The number of milliseconds by which the clock that script and product see is ahead. */
      clockMs: number;
      /** Whether the run records which of the script's functions the product runs; only for a renumbered product. */
      isListening: boolean;
    };

interface ScriptOnDesk {
  readonly paths: DeskPaths;
  readonly script: string;
}

export interface TurnRequest extends ScriptOnDesk {
  /** The command that isolates a run; empty: none. */
  readonly apart: string;
  readonly product: Product;
  readonly programs: readonly string[];
  readonly adapters: LanguageAdapters;
}

/**
 * A bash command line and its standard input. It lists the files that the previous run left, and creates the next run's checkout,
 * HOME and TMPDIR.
 */
export interface Turn {
  readonly commandLine: string;
  readonly stdin: string;
}

/**
 * Returns a command that lists every regular file and link of folders, including git's own state except its objects, logs and index,
 * with properties that reveal any change: size, inode, change time and the target of a link. `readListings` reads the list.
 */
function list(...folders: readonly string[]): string {
  const skipped = folders.flatMap((folder) => [`-path ${folder}/.git/objects`, `-path ${folder}/.git/logs`]);
  const heads = folders.map((folder) => `-path ${folder} -printf '\\0\\f%f\\0' -o`);
  return `find ${folders.join(" ")} \\( ${skipped.join(" -o ")} -o -name index -path '*/.git/*' \\) -prune -o ${heads.join(" ")} \\( -type f -o -type l \\) -printf '%P\\t%s.%i.%C@\\n%l\\0' 2>/dev/null`;
}

/**
 * Returns a command that lists the files beside the checkout that we did not create: state that a script carries from run to run.
 * Hardly any run leaves such a file, so the shell checks the names first and starts `find` only if there is an unknown one.
 */
function strangers({ place, desk }: DeskPaths): string {
  const ours = [RUN, SCRIPT, ANSWERS, PROGRAM, CLOCK, APART_PROGRAM, "home", "tmp"];
  const names = place === desk ? [PRISTINE, ...ours] : ours;
  const others = names.map((name) => `! -name ${name}`).join(" ");
  const list = `find . -mindepth 1 -maxdepth 1 ${others} -printf '../%P\\t%i\\0'`;
  return `shopt -s dotglob; for one in *; do case $one in ${names.join("|")}) ;; *) ${list}; break ;; esac; done`;
}

/** The path at which a listing has the hash of the script, if its bytes are still those of the outcome's script. */
export const SCRIPT_PATH = `../${SCRIPT}`;

/** Returns shell text that stores the script in the variable `script`, in the shorter of two writings. */
export function scriptVariable(script: string): string {
  if (script.includes("\0")) throw new Error("a script cannot contain a NUL byte");
  const text = Buffer.from(script).toString();
  const quoted = text.replaceAll(/[\\']/g, (character) => (character === "'" ? "\\x27" : "\\\\"));
  const encoded = Buffer.from(script).toString("base64");
  if (quoted.length <= encoded.length) return `script=$'${quoted}'`;
  return `script=$(base64 -d <<'END'\n${encoded.replaceAll(/.{76}/g, (line) => `${line}\n`)}\nEND\nprintf .) && script=\${script%.}`;
}

/**
 * Returns shell text that prints an entry with the hash of the script if the script on the desk equals the variable. A run may have
 * replaced it with anything: the test for a regular file excludes a named pipe, whose read would never end, and `read` takes at
 * most one character more than the script has. It succeeds for that many, and for a NUL byte.
 */
function isScript(script: string): string {
  const read = `IFS= read -r -d '' -n $((\${#script} + 1)) text 2>/dev/null <${SCRIPT}`;
  return `text=; [ ! -f ${SCRIPT} ] || ${read} || [ "$text" != "$script" ] || printf '${SCRIPT_PATH}\\t${scriptHash(script)}\\0'`;
}

/**
 * Returns a copy command. The copies share their blocks, if the file system supports that, until one side is written to. It never
 * uses hard links, because a run could write through them into the pristine checkout and so into every other run.
 */
function clone(from: string, to: string): string {
  return `{ cp -a --reflink=auto ${from} ${to} 2>/dev/null || { rm -rf ${to} && cp -a ${from} ${to}; }; }`;
}

/** Returns the path of the pristine checkout relative to the desk. */
function pristineFrom({ place, desk }: DeskPaths): string {
  return place === desk ? PRISTINE : `../../${PRISTINE}`;
}

/** Returns a command that lists a desk and, in the same pass, other folders. `scriptVariable` must have run. */
function look({ paths, script }: ScriptOnDesk, ...others: readonly string[]): string {
  return `${strangers(paths)}; ${isScript(script)}; ${list(RUN, ...others)}`;
}

const ON_DESK = `${RUN} home tmp ${SCRIPT} ${ANSWERS} ${PROGRAM} ${CLOCK} ${APART_PROGRAM}`;

/**
 * The exit code of a turn that has already begun, over a connection that was lost. Its end is unknown, and the files of the
 * previous run can no longer be read.
 */
export const BEGUN_BEFORE = 95;

/**
 * The files by which a turn detects that it is being repeated. They are outside the place, under names that no script can know.
 * Each desk has one such file, so that their number reveals nothing to a script.
 */
export interface TurnMarks {
  readonly own: string;
  /** The mark of the previous turn; null if there was none. */
  readonly before: string | null;
}

function markPath({ place }: DeskPaths, mark: string): string {
  return shellQuote(`${place}-turn-${mark}`);
}

function beginOnce(paths: DeskPaths, { own }: TurnMarks): string {
  const path = markPath(paths, own);
  return `set -C; { : > ${path}; } 2>/dev/null || { [ ! -e ${path} ] || exit ${BEGUN_BEFORE}; exit 93; }; set +C`;
}

/**
 * Returns the turn before a run. It prints, divided: the desk as the last run left it, and the pristine checkout; the adapter's
 * answer; the desk of the next run, unless the product cannot be changed so. Exit codes 90 to 93: no checkout could be made;
 * `BEGUN_BEFORE`.
 */
export function planTurn(request: TurnRequest, preparation: Preparation, marks: TurnMarks): Turn {
  const { commandLine, stdin } = transformation(request, preparation);
  const { paths } = request;
  const pristine = pristineFrom(paths);
  const clear = `rm -rf ${ON_DESK}${marks.before === null ? "" : ` ${markPath(paths, marks.before)}`}`;
  const lines = [
    `cd -- ${shellQuote(paths.desk)} || exit 90`,
    beginOnce(paths, marks),
    `${scriptVariable(request.script)} || exit 93`,
    `${look(request, pristine)}; ${DIVIDE}`,
    `${clear} 2>/dev/null || { chmod -R u+rwX ${RUN} home tmp 2>/dev/null; ${clear}; } || exit 91`,
    `mkdir -m 700 home tmp && ${clone(pristine, RUN)} || exit 92`,
    // The program that isolates runs is rewritten each time, because the previous run could have changed it.
    `${writeApartProgram()} && printf %s "$script" > ${SCRIPT} && chmod 755 ${APART_PROGRAM} ${SCRIPT} || exit 93`,
    `{ ${commandLine}\n} || exit 0`,
    `${DIVIDE}; ${look(request)}`,
  ];
  return { commandLine: lines.join("\n"), stdin };
}

/** Returns a command line that lists the files that the last run left. */
export function planLastLook(request: ScriptOnDesk): string {
  const { paths, script } = request;
  return `cd -- ${shellQuote(paths.desk)} && ${scriptVariable(script)} && { ${look(request, pristineFrom(paths))}; }`;
}

/** Returns a command line that prints the product's answers in the renumbered run. */
export function planReadAnswers({ desk }: DeskPaths): string {
  return `cd -- ${shellQuote(desk)} && { [ ! -f ${ANSWERS} ] || head -c 2000000 ${ANSWERS}; }`;
}

function transformation(request: TurnRequest, preparation: Preparation): Turn {
  const { product } = request;
  switch (preparation.kind) {
    case "real":
      return { commandLine: ":", stdin: "" };
    case "absent":
      return {
        commandLine: `cd ${RUN} && xargs -0 -r rm -f -- && cd ..`,
        stdin: nul([...product.files, ...product.built]),
      };
    case "broken":
      return {
        // One process restores the times of all files, because a set-up may have made many thousands.
        commandLine: `cat > ${PROGRAM} && cd ${RUN} && { while IFS= read -r -d '' file; do printf ')]}>< unloadable\\n' > "$file"; done < ../${PROGRAM}; ( cd "../${pristineFrom(request.paths)}" && xargs -0 -r cp --attributes-only --preserve=timestamps --parents -t "$OLDPWD" -- ) < ../${PROGRAM}; }; cd ..; rm -f ${PROGRAM}`,
        stdin: nul([...product.replaced, ...product.built]),
      };
    case "deaf":
    case "renumbered":
      return layering(request, preparation);
  }
}

/**
 * Returns the command that makes the layer of a deaf or renumbered product. The adapter reads standard input. Two adapters are sent
 * over it as one text, the JavaScript one first, separated by a line.
 */
function layering(request: TurnRequest, preparation: Extract<Preparation, { token: string }>): Turn {
  const { adapters, product, apart } = request;
  const programs = adapterPrograms(adapters, layerRequest(request, preparation), product.sources);
  const commands = programs.map(({ interpreter }) => `timeout 60 ${apart} ${interpreter} -`);
  const [command = ":", second] = commands;
  const stdin = (divider: string): string => programs.map(({ program }) => program).join(divider);
  if (second === undefined)
    return { commandLine: `( ${enterAsRun(request)} && ${command} ) || :`, stdin: stdin("") };
  const divider = `#${preparation.token}`;
  const halves = [`sed '/^${divider}$/,$d'`, `sed '1,/^${divider}$/d'`];
  const each = halves.map((half, index) => `${half} ../${PROGRAM} | ${commands[index]}`);
  return {
    commandLine: `cat > ${PROGRAM} && ( ${enterAsRun(request)} && { ${each.join("; ")}; } ); rm -f ${PROGRAM}`,
    stdin: stdin(`\n${divider}\n`),
  };
}

/**
 * Returns shell text that enters the run's checkout and sets the variables of `apart`. The layer contains paths of the product, so
 * it must be created at the path at which the run sees it.
 */
function enterAsRun({ paths }: TurnRequest): string {
  return `cd ${RUN} && export ${HOME_OF_RUNS}=${shellQuote(paths.place)} ${HOME_OF_USER}="$HOME"`;
}

function layerRequest(
  { paths: { place }, product, programs }: TurnRequest,
  {
    kind,
    token,
    version,
    remembered,
    candidate,
    isListening,
    clockMs,
  }: Extract<Preparation, { token: string }>,
): LayerRequest {
  return {
    root: `${place}/${RUN}`,
    files: product.sources,
    manifests: product.manifests,
    answers: `${place}/${ANSWERS}`,
    programs,
    token,
    version,
    isDeaf: kind === "deaf",
    isListening,
    candidate,
    remembered,
    clock: clockMs === 0 ? null : { directory: `${place}/${CLOCK}`, aheadMs: clockMs },
  };
}

/**
 * Assignments before a command line: its programs load what the adapters have written to move the clock, also in other processes.
 */
export const WITH_MOVED_CLOCK = `NODE_OPTIONS="--require=$${HOME_OF_RUNS}/${CLOCK}/clock.cjs $NODE_OPTIONS" PYTHONPATH="$${HOME_OF_RUNS}/${CLOCK}\${PYTHONPATH:+:$PYTHONPATH}"`;

function nul(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join("");
}
