#!/bin/sh
# Starts Claude Code, behind Coder's Agent Firewall if the template requests it (firewall = "landjail"). The Agent Firewall is a second
# layer and a record; the boundary is the proxy or the network policy. It needs Linux 6.7 and Coder Premium.
set -eu
claude=/usr/local/bin/claude
[ "${AFK_TRIAGE_FIREWALL:-}" = landjail ] || exec "$claude" "$@"
case "${1:-}" in
  --version | --help) exec "$claude" "$@" ;;
esac

log=/tmp/afk-triage-firewall
mkdir -p "$log"
set -- -- "$claude" "$@"
# One rule per line, such as domain=api.anthropic.com. A request that no rule allows is denied and logged.
newline='
'
IFS=$newline
set -f
for rule in ${AFK_TRIAGE_FIREWALL_ALLOW:-}; do
  set -- --allow "$rule" "$@"
done
exec coder boundary --jail-type landjail --log-dir "$log" --log-level warn "$@"
