#!/usr/bin/env bash
# Puts afk-triage and the `coder` CLI on this runner, and says as step outputs where they and the batch's files are:
# program, home, summary, artifact, coder. Needs no secret.
set -euo pipefail

refuse() {
  echo "triage action: $1" >&2
  exit 2
}

shard=${AFK_SHARD:-1/1}
[[ $shard =~ ^[1-9][0-9]{0,3}/[1-9][0-9]{0,3}$ ]] || refuse "the input shard takes i/n, such as 2/4"
repository=${AFK_REPOSITORY:-}
[[ $repository =~ ^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] || refuse "the input repository takes owner/name"
version=${AFK_VERSION:-}
[[ $version =~ ^([0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?)?$ ]] ||
  refuse "the input version takes an exact version such as 1.2.3, because a range or a tag may change its meaning"

if [ -z "${AFK_CONFIG:-}" ] && [ ! -e .github/afk-triage.yml ] && [ ! -e .git ]; then
  echo "::warning::the job has not checked out the repository, so .github/afk-triage.yml is not read and every setting has its default. Add an actions/checkout step before this action."
fi

# One of its own for each repository and shard: a job may use this action for several, and artifacts share a name space.
part=${shard/\//-of-}
[ "$repository" = "${GITHUB_REPOSITORY:-}" ] || part=${repository/\//-}-$part
work=$RUNNER_TEMP/afk-triage-$part
home=$work/home
[ -z "${AFK_HOME:-}" ] || home=$(realpath -m -- "$AFK_HOME")
umask 077
mkdir -p "$home"

package=$GITHUB_ACTION_PATH/../../..
program=${AFK_PROGRAM:-}
if [ -n "$program" ]; then
  program=$(realpath -e -- "$program") || refuse "the input program names a file that does not exist"
elif [ -z "$version" ] && [ -e "$package/dist/afk-triage.js" ]; then
  # The action came with an installed package.
  program=$(realpath -e -- "$package/dist/afk-triage.js")
else
  # The action's own release: one commit pins both.
  [ -n "$version" ] || version=$(node -p 'require(process.argv[1]).version' "$package/package.json")
  npm install --prefix "$work/program" --no-audit --no-fund --ignore-scripts "afk-triage@$version" >&2
  program=$work/program/node_modules/afk-triage/dist/afk-triage.js
fi

coder=$(command -v coder || true)
if [ -z "$coder" ] && [ -n "${CODER_URL:-}" ]; then
  case $(uname -m) in
    x86_64) architecture=amd64 ;;
    aarch64) architecture=arm64 ;;
    *) refuse "there is no coder CLI here, and none to fetch for $(uname -m)" ;;
  esac
  # Fetch the CLI from the deployment: it is trusted with the Coder workspaces anyway, and the versions match.
  coder=$work/coder
  node --input-type=module --eval '
    import { writeFile } from "node:fs/promises";
    const [url, path] = process.argv.slice(1);
    const answer = await fetch(url, { signal: AbortSignal.timeout(300_000) });
    if (!answer.ok) throw new Error(`fetch the coder CLI from ${url}: HTTP ${answer.status}`);
    await writeFile(path, Buffer.from(await answer.arrayBuffer()), { mode: 0o755 });
  ' "${CODER_URL%/}/bin/coder-linux-$architecture" "$coder"
fi

{
  echo "program=$program"
  echo "home=$home"
  echo "summary=$home/summary.json"
  echo "artifact=afk-triage-${GITHUB_RUN_ATTEMPT:-1}-$part"
  echo "coder=$coder"
} >>"$GITHUB_OUTPUT"
