#!/bin/sh
# Copies an app of this built checkout with the workspaces that it needs, as npm would publish them, and the lock file:
#   docker/pack-app.sh api FOLDER
# In FOLDER, npm ci --omit=dev --omit=optional installs the dependencies of the app alone.
set -eu
app=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
[ -e "apps/$app/bin" ] || { echo "there is no app $app: see the folders of apps" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
names=$(npm ls --workspace "apps/$app" --package-lock-only --omit dev --omit optional --all --parseable | sed -n 's|.*/@takt/||p')
workspaces=$(for name in $names; do ls -d "apps/$name" "packages/$name" 2>/dev/null || true; done)
npm pack --silent $(printf -- '--workspace %s ' $workspaces) --pack-destination "$scratch" >/dev/null
list=''
for workspace in $workspaces; do
  mkdir -p "$folder/$workspace"
  tar -xzf "$scratch/takt-$(basename "$workspace")"-[0-9]*.tgz --strip-components 1 -C "$folder/$workspace"
  list="$list,\"$workspace\""
done
# The migrations belong to no workspace. Every app needs @takt/database, which reads them.
cp -R migrations package.json package-lock.json .npmrc "$folder"
cd "$folder"
npm pkg delete scripts devDependencies
npm pkg set --json workspaces="[${list#,}]"
