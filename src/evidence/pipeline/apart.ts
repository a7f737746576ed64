import { shellQuote } from "agent-tty/kit";

/** The program's name on each desk. */
export const APART_PROGRAM = "apart";
/** The environment variable that holds the place's directory in the Session. */
export const HOME_OF_RUNS = "AFK_TRIAGE_RUNS";
/** The environment variable that holds the user's own home directory, because a run has a different HOME. */
export const HOME_OF_USER = "AFK_TRIAGE_RUNS_HOME";

const NAMESPACE = "--pid --fork --kill-child --mount-proc";
const OWN_FILES = `--mount --ipc ${NAMESPACE}`;

/**
 * Commands that isolate one run from everything else, the strongest first; a machine may permit none of them. All of them give a
 * run its own process namespace. The first two also give it its own file system view: outside of its desk a run writes to copies,
 * which disappear when it ends, or cannot write at all, and it sees its desk at the path of the place's directory. The commands
 * are started in the folder `run` of a desk.
 */
export const WAYS_APART: readonly string[] = [
  `unshare ${OWN_FILES} ../${APART_PROGRAM}`,
  `unshare --user --map-current-user --keep-caps ${OWN_FILES} ../${APART_PROGRAM}`,
  `unshare ${NAMESPACE}`,
  `unshare --user --map-current-user ${NAMESPACE}`,
];

/** Returns whether a run that is isolated in this way sees no file of another run. */
export function hasOwnFiles(way: string): boolean {
  return way.includes("--mount --ipc");
}

/**
 * Returns shell text that runs in a desk's directory. It writes the program there and stores the strongest command that works in
 * a variable, which is empty if the machine permits none. `HOME_OF_RUNS` and `HOME_OF_USER` must be set, and the folder `run`
 * must exist. It also makes `scripts`, files beside the program, executable.
 */
export function chooseWayApart(variable: string, scripts: readonly string[] = []): string {
  const tries = WAYS_APART.map(
    (way) => `{ ${variable}="${way}"; ( cd run && $${variable} true ) 2>/dev/null; }`,
  );
  return `${makeApartProgram(scripts)} && { ${tries.join(" || ")} || ${variable}=; }`;
}

/** Returns shell text for a later run in the same place, which takes the command that was chosen, without trying it again. */
export function keepWayApart(variable: string, way: string, scripts: readonly string[] = []): string {
  return `${makeApartProgram(scripts)} && ${variable}=${shellQuote(way)}`;
}

function makeApartProgram(scripts: readonly string[]): string {
  return `${writeApartProgram()} && chmod 755 ${[APART_PROGRAM, ...scripts].join(" ")}`;
}

/**
 * Returns shell text that writes the program that `WAYS_APART` start; the caller makes it executable. The program mounts writable
 * copies over the folders that all programs share and the desk over the place's directory, makes everything else read-only, and
 * starts its arguments without the right to undo that and without a terminal. Otherwise a run could learn from files in shared
 * folders or from terminal settings how many runs came before it, and from files on the desks of other runs of which kind they
 * are.
 */
export function writeApartProgram(): string {
  return `printf %s ${shellQuote(PROGRAM)} > ${APART_PROGRAM}`;
}

/**
 * The program calls one `mount -a`, which mounts everything that `table` lists, in its order; a `mount` command for each entry
 * would take two milliseconds more per entry. `table` has the format of /etc/fstab and of `/proc/self/mounts`, with `\040` for a
 * space. `mount -a` skips a source that is already mounted at the same folder, so the sources are named after the place, and it
 * skips `/`, so that is written as `/.`. Without `-c` it would look for the desk (`.`) by its path, where a copy is mounted by then.
 * All mounts except ours and the kernel's become read-only, because a run could leave state there as root, or in a folder that
 * everyone may write to (`/run/lock`). The program reads afterwards what is mounted, because versions of `mount -a` differ: the
 * copies must be there, and what else is missing gets a `mount` command. `/dev/pts` contains only the terminals that the
 * run itself opens, none of the machine's: since Linux 4.7, `/dev/ptmx` opens them in the `pts` beside it.
 */
const PROGRAM = `#!/bin/sh
own=/dev/shm
[ -d "$own" ] || own=/mnt
cd .. && mount -t tmpfs -o mode=1777 tmpfs "$own" || exit 95
escape() {
  name= rest="$1"
  while :; do
    case "$rest" in *" "*) name="$name\${rest%%" "*}\\\\040" rest="\${rest#*" "}" ;; *) break ;; esac
  done
  name="$name$rest"
}
each_writable() {
  found=0 desk= terminals=
  while read -r device escaped type options rest; do
    target="$escaped"
    case "$device $target" in *\\\\*) device=$(printf %b "$device") target=$(printf %b "$target") ;; esac
    case "$device" in terminals:"$place") terminals=own ;; *:"$place") found=$((found + 1)) ;; esac
    case "$target" in "$place") desk=own ;; /proc | /proc/* | /sys | /sys/* | /dev/pts) continue ;; esac
    case "$options," in ro,*) continue ;; esac
    case "$ours" in *" $target "*) continue ;; esac
    "$1"
  done < /proc/self/mounts
}
list() {
  kept=
  for flag in nosuid nodev noexec nosymfollow; do
    case ",$options," in *",$flag,"*) kept="$kept,$flag" ;; esac
  done
  [ "$target" != / ] || escaped=/.
  table="$table
other $escaped none remount,bind,ro$kept 0 0"
}
protect() {
  mount -o remount,bind,ro "$target" 2>/dev/null
}
place="$${HOME_OF_RUNS}"
escape "$place"
source="$name" ours=" $own $place " table= layers= number=0
for folder in /tmp /var/tmp /usr/local "$${HOME_OF_USER}"; do
  [ -w "$folder" ] && [ "$folder" != / ] || continue
  number=$((number + 1))
  ours="$ours$folder "
  layer="$own/.own/$number" work="$own/.own/work$number"
  layers="$layers $layer $work"
  escape "$folder"
  table="$table
$number:$source $name overlay lowerdir=$name,upperdir=$layer,workdir=$work 0 0"
done
number=$((number + 1))
table="$table
$number:$source $own tmpfs mode=1777 0 0
. $source none bind 0 0
terminals:$source /dev/pts devpts newinstance,ptmxmode=666 0 0"
each_writable list
mkdir -p "$own/.own" $layers && printf '%s\\n' "$table" > "$own/.own/table" || exit 95
mount -a -c -T "$own/.own/table" 2>/dev/null
each_writable :
[ "$found" = "$number" ] || exit 95
[ -n "$desk" ] || mount -c --bind . "$place" || exit 95
[ -n "$terminals" ] || [ ! -d /dev/pts ] || mount -t tmpfs tmpfs /dev/pts || exit 95
each_writable protect
cd "$place/run" && unset OLDPWD && exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin -- setsid "$@"
`;
