#!/bin/sh
# Claude Code, and between it and the network Coder's Agent Firewall where the template asks for it (firewall = "landjail"). It is a second
# layer and a record, not the boundary: that is the proxy or the network policy. It needs Linux 6.7 and Coder Premium.
set -eu
claude=/usr/local/bin/claude
[ "${AFK_TRIAGE_FIREWALL:-}" = landjail ] || exec "$claude" "$@"
case "${1:-}" in
  --version | --help) exec "$claude" "$@" ;;
esac

log=/tmp/afk-triage-firewall
mkdir -p "$log"
set -- -- "$claude" "$@"
# One rule a line, such as: domain=api.anthropic.com. What no rule allows is denied and written down.
newline='
'
IFS=$newline
set -f
for rule in ${AFK_TRIAGE_FIREWALL_ALLOW:-}; do
  set -- --allow "$rule" "$@"
done
exec coder boundary --jail-type landjail --log-dir "$log" --log-level warn "$@"
