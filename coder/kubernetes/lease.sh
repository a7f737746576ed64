#!/usr/bin/env bash
# Ends everything on this machine when the lease is over. A later start of the Coder workspace agent starts a second timer;
# the first one still ends the machine, so that a restart never extends a lease. Terraform fills in the seconds.
set -euo pipefail

# The first signal ends the machine's main process if that process handles the signal; the second signal ends all others.
nohup setsid bash -c 'sleep "$1"; kill -TERM 1; sleep 10; kill -KILL -1' afk-triage-lease ${seconds} \
  >/dev/null 2>&1 </dev/null &
