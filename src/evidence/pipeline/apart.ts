import { shellQuote } from "../../workspaces/index.ts";

/** Name of the program on each desk. */
export const APART_PROGRAM = "apart";
/** Holds the place's directory in the Session. */
export const HOME_OF_RUNS = "AFK_TRIAGE_RUNS";
/** Holds the user's own home directory: a run has another HOME. */
export const HOME_OF_USER = "AFK_TRIAGE_RUNS_HOME";

const NAMESPACE = "--pid --fork --kill-child --mount-proc";
const OWN_FILES = `--mount --ipc ${NAMESPACE}`;

/**
 * Commands that keep one run apart from everything else, the strongest first; a machine may permit none of them. All of them
 * give a run processes of its own; the first two also files: outside of its desk it writes to copies, which are gone when it ends,
 * or cannot write, and its desk stands at the path of the place's directory. They are started in the folder `run` of a desk.
 */
export const WAYS_APART: readonly string[] = [
  `unshare ${OWN_FILES} ../${APART_PROGRAM}`,
  `unshare --user --map-current-user --keep-caps ${OWN_FILES} ../${APART_PROGRAM}`,
  `unshare ${NAMESPACE}`,
  `unshare --user --map-current-user ${NAMESPACE}`,
];

/** Whether a run that is kept apart in this way sees no file of another run. */
export function hasOwnFiles(way: string): boolean {
  return way.includes("--mount --ipc");
}

/**
 * Shell text for a desk's directory: writes the program there and puts the strongest way that works into a variable; empty: the
 * machine permits none. `HOME_OF_RUNS` and `HOME_OF_USER` are set, and the folder `run` is there.
 */
export function chooseWayApart(variable: string): string {
  const tries = WAYS_APART.map(
    (way) => `{ ${variable}="${way}"; ( cd run && $${variable} true ) 2>/dev/null; }`,
  );
  return `${writeApartProgram()} && chmod 755 ${APART_PROGRAM} && { ${tries.join(" || ")} || ${variable}=; }`;
}

/**
 * Writes the program that `WAYS_APART` start; the caller makes it executable. The program lays writable copies over the folders
 * that all programs share and the desk over the place's directory, makes all else read-only, and starts its arguments without the
 * right to undo that and without a terminal. Files that a run leaves in shared folders would tell the next run how many came
 * before, and so would settings of a terminal; files on the desks of other runs would tell which kind they are.
 */
export function writeApartProgram(): string {
  return `printf %s ${shellQuote(PROGRAM)} > ${APART_PROGRAM}`;
}

/**
 * `mount -a` mounts all that `table` lists, in its order; a `mount` for each would take two milliseconds more each time. `table` is
 * written like /etc/fstab, with `\040` for a blank. `mount -a` skips a source that is mounted at the same folder already, so the
 * sources are named after the place.
 * `ours` holds the mount points that stay writable. All other mounts but those of the kernel become read-only: a run could leave
 * state there as root, or in a folder that everyone may write to (`/run/lock`). `/proc/self/mounts` writes a blank in a name as
 * `\040`. `/dev/pts` holds terminals that the run opens itself, and none of the machine's: since Linux 4.7, `/dev/ptmx` opens them in
 * the `pts` beside it.
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
escape "$${HOME_OF_RUNS}"
place="$name" table= layers= number=0
ours=" $own $${HOME_OF_RUNS} "
for folder in /tmp /var/tmp /usr/local "$${HOME_OF_USER}"; do
  [ -w "$folder" ] && [ "$folder" != / ] || continue
  number=$((number + 1))
  ours="$ours$folder "
  layer="$own/.own/$number" work="$own/.own/work$number"
  layers="$layers $layer $work"
  escape "$folder"
  table="$table
$number:$place $name overlay lowerdir=$name,upperdir=$layer,workdir=$work 0 0"
done
mkdir -p "$own/.own" $layers && printf '%s\\n%s %s tmpfs mode=1777 0 0\\n' "$table" "$place" "$own" > "$own/.own/table" || exit 95
mount -a -T "$own/.own/table" || exit 95
mount --no-canonicalize --bind . "$${HOME_OF_RUNS}" || exit 95
if [ -d /dev/pts ]; then
  mount -t devpts -o newinstance,ptmxmode=666 devpts /dev/pts 2>/dev/null || mount -t tmpfs tmpfs /dev/pts || exit 95
fi
while read -r device target type options rest; do
  case "$target" in /proc | /proc/* | /sys | /sys/* | /dev/pts) continue ;; esac
  case "$options," in ro,*) continue ;; esac
  case "$target" in *\\\\*) target=$(printf %b "$target") ;; esac
  case "$ours" in *" $target "*) continue ;; esac
  mount -o remount,bind,ro "$target" 2>/dev/null
done < /proc/self/mounts
cd "$${HOME_OF_RUNS}/run" && unset OLDPWD && exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin -- setsid "$@"
`;
