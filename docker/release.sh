#!/bin/sh
# Makes a release of a clean checkout: npm run release -- 1.2.0. It pushes nothing.
set -eu
cd "$(dirname "$0")/.."
version=${1:?usage: npm run release -- VERSION, such as 1.2.0}
folder=$PWD/build-output/$version
refuse() {
  echo "release: $1" >&2
  exit 1
}
[ -z "$(git status --porcelain)" ] || refuse 'commit or undo what is changed first'
[ -z "$(git tag --list "v$version")" ] || refuse "the tag v$version exists already: choose the next version"
[ ! -e "$folder" ] || refuse "$folder exists already: remove it"
sed -n '/^## Unreleased/,/^## [0-9]/p' CHANGELOG.md | grep -q '^- ' ||
  refuse 'CHANGELOG.md has nothing under "Unreleased": describe the changes there'

trap 'rm -rf "$folder" && git checkout --quiet -- .' EXIT
npm version "$version" --no-git-tag-version --workspaces --include-workspace-root --workspaces-update=false >/dev/null
npm install --package-lock-only --offline >/dev/null
sed -i "s/^## Unreleased\$/&\n\n## $version, $(date -u +%F)/" CHANGELOG.md
# What an earlier build left of files that are gone.
rm -rf apps/*/dist packages/*/dist
npm run --silent build
mkdir -p "$folder"
for bin in apps/*/bin; do
  app=$(basename "$(dirname "$bin")")
  docker/pack-app.sh "$app" "$folder/takt-$app-$version"
  tar -czf "$folder/takt-$app-$version.tgz" -C "$folder" "takt-$app-$version"
  rm -r "$folder/takt-$app-$version"
done
npm pack --silent --workspace packages/client --workspace packages/events --pack-destination "$folder" >/dev/null
(cd "$folder" && sha256sum ./*.tgz >SHA256SUMS)
git commit --all --quiet --message "Release $version"
git tag --annotate "v$version" --message "Takt $version"
trap - EXIT
echo "the tarballs are in $folder; git push --follow-tags publishes the commit and the tag v$version"
