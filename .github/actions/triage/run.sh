#!/usr/bin/env bash
# One Triage Batch, or one part of a sweep. Inputs arrive in the environment, never in this text; each becomes one argument, whatever it holds.
set -euo pipefail

command=${AFK_COMMAND:-run}
case $command in
  run | sweep) ;;
  *)
    echo "triage action: the input command takes run or sweep" >&2
    exit 2
    ;;
esac
arguments=("$command" --repo "$AFK_REPOSITORY" --deadline "$AFK_DEADLINE")
add() {
  if [ -n "$2" ]; then arguments+=("$1" "$2"); fi
}

read -r -a issues <<<"${AFK_ISSUE//,/ }"
for issue in "${issues[@]}"; do arguments+=(--issue "$issue"); done
[ "$AFK_SHARD" = 1/1 ] || arguments+=(--shard "$AFK_SHARD")
add --max-issues "$AFK_MAX_ISSUES"
add --parallelism "$AFK_PARALLELISM"
add --config "$AFK_CONFIG"
if [ "$command" = sweep ]; then
  add --query "${AFK_QUERY:-}"
  add --older-than "${AFK_OLDER_THAN:-}"
fi
[ "$AFK_DRY_RUN" != true ] || arguments+=(--dry-run)

# What the program prints of issues holds no workflow commands; this makes the runner ignore any (S10).
echo "::stop-commands::$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
unset AFK_COMMAND AFK_QUERY AFK_OLDER_THAN AFK_REPOSITORY AFK_ISSUE AFK_SHARD AFK_MAX_ISSUES AFK_PARALLELISM AFK_CONFIG AFK_DRY_RUN AFK_DEADLINE
exec node "$AFK_PROGRAM" "${arguments[@]}" >"$AFK_SUMMARY"
