#!/usr/bin/env bash
# After a batch that failed or was killed: cleans the Sessions of a dead parent, deletes its Coder workspaces, and says as the step
# output `sessions` that they are clean. Inputs arrive in the environment, never in this text.
set -euo pipefail

arguments=(reap --repo "$AFK_REPOSITORY")
[ -z "${AFK_CONFIG:-}" ] || arguments+=(--config "$AFK_CONFIG")

# What the program prints holds no workflow commands; this makes the runner ignore any (S10).
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
unset AFK_REPOSITORY AFK_CONFIG
code=0
node "$AFK_PROGRAM" "${arguments[@]}" >/dev/null || code=$?
# 3: a Coder workspace could not be deleted. Sessions are cleaned before that is tried.
if [ "$code" = 0 ] || [ "$code" = 3 ]; then
  echo "sessions=clean" >>"$GITHUB_OUTPUT"
else
  echo "the Sessions of the batch were not cleaned, and are left out of the artifact" >&2
fi
