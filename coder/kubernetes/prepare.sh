#!/usr/bin/env bash
# Runs before anyone may log in. It does not change the checkout, which afk-triage creates later. It refuses a machine on
# which a Triage Run would fail later, or on which a checkout could configure the Triage Agent (S12).
set -euo pipefail

fail() {
  echo "prepare: $1" >&2
  exit 1
}

for tool in bash git node claude tmux curl getent; do
  command -v "$tool" >/dev/null || fail "$tool is not in the image: build it from coder/image"
done
case $(tmux -V) in
  "tmux "[3-9]*) ;;
  *) fail "tmux 3 is needed to keep a terminal over a lost connection, not $(tmux -V)" ;;
esac

policy=/etc/claude-code/managed-settings.json
[ -r "$policy" ] || fail "$policy is missing: files of a checkout could configure the Triage Agent"
[ ! -w "$policy" ] || fail "$policy can be written by $(id -un): the Triage Agent could change its own rules"

# The parent's own runs use the login shell, so it must not read files that the Triage Agent left in its home.
login=$(getent passwd "$(id -u)")
case ${login##*:} in
  */sh | */dash) ;;
  *) fail "the login shell of $(id -un) is ${login##*:}, which reads start files in the home: make it /bin/sh" ;;
esac

if [ "${AFK_TRIAGE_FIREWALL:-}" = landjail ]; then
  command -v coder >/dev/null || fail "firewall = landjail needs the program coder in the PATH"
  kernel=$(uname -r)
  major=${kernel%%.*} rest=${kernel#*.}
  minor=${rest%%[!0-9]*}
  [ "$major" -gt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -ge 7 ]; } ||
    fail "firewall = landjail needs Linux 6.7 or newer, not $kernel"
fi

# Remove any configured credential helper, so that git uses nobody's credentials.
git config --global credential.helper ""

if [ -z "${ANTHROPIC_API_KEY:-}${ANTHROPIC_AUTH_TOKEN:-}" ] && ! [ -e "$HOME/.claude.json" ]; then
  echo "prepare: Claude Code has no credential here; see the template's README" >&2
fi
