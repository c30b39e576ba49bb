#!/bin/sh
# Installs an app of this built checkout for production, as the images have it: docker/install-app.sh api FOLDER
set -eu
"$(dirname "$0")/pack-app.sh" "$1" "$2"
cd "$2"
npm ci --omit=dev --omit=optional --prefer-offline
# Source maps and types are a quarter of the installation, and nothing reads them at run time.
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
# Readable by all, whatever the modes of the checkout are.
chmod -R u=rwX,go=rX .
