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
 * give a run processes of its own; the first two also files: what it writes outside of its desk is gone when it ends, and its
 * desk stands at the path of the place's directory. They are started in the folder `run` of a desk.
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
  return `${writeApartProgram()} && { ${tries.join(" || ")} || ${variable}=; }`;
}

/**
 * Writes the program that `WAYS_APART` start: it lays writable copies over the folders that all programs share and the desk
 * over the place's directory, without the right to take them away, and starts its arguments. What a run leaves in shared
 * folders would tell the next one how many came before; what other runs have on their desks would tell which kind they are.
 */
export function writeApartProgram(): string {
  return `printf %s ${shellQuote(Buffer.from(PROGRAM).toString("base64"))} | base64 -d > ${APART_PROGRAM} && chmod 755 ${APART_PROGRAM}`;
}

const PROGRAM = `#!/bin/sh
own=/dev/shm
[ -d "$own" ] || own=/mnt
cd .. && mount -t tmpfs -o mode=1777 tmpfs "$own" || exit 95
count=0
for folder in /tmp /var/tmp "$${HOME_OF_USER}"; do
  [ -d "$folder" ] && [ "$folder" != / ] || continue
  count=$((count + 1))
  mkdir -p "$own/.own/$count" "$own/.own/work$count"
  mount -t overlay overlay -o "lowerdir=$folder,upperdir=$own/.own/$count,workdir=$own/.own/work$count" "$folder" || exit 95
done
mount --no-canonicalize --bind . "$${HOME_OF_RUNS}" || exit 95
mount -t tmpfs -o mode=1777 tmpfs "$own" || exit 95
cd "$${HOME_OF_RUNS}/run" && unset OLDPWD && exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin -- "$@"
`;
