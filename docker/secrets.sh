#!/usr/bin/env bash
# Makes the passwords that compose.yaml reads: ./secrets.sh
# Gives one of them a new value, in the file and where it is in use: ./secrets.sh renew owner|api|dashboard|intake|worker|grafana
set -euo pipefail
cd "$(dirname "$0")"
names='owner api dashboard intake worker grafana'
folder=${TAKT_SECRETS:-./secrets}

# The folder keeps other users out. The files are readable for all, because Compose passes them on with their modes.
write() {
  od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$folder/$1.new"
  chmod 644 "$folder/$1.new"
}

case "${1:-} ${2:-}" in
  ' ')
    mkdir -p "$folder" && chmod 700 "$folder"
    for name in $names; do
      [ -e "$folder/$name" ] || { write "$name" && mv "$folder/$name.new" "$folder/$name" && echo "$folder/$name"; }
    done
    ;;
  'renew owner')
    # PostgreSQL reads the file only when it makes its data, so the role changes first.
    write owner
    printf "ALTER ROLE takt_owner PASSWORD '%s';\n" "$(cat "$folder/owner.new")" |
      docker compose exec -T postgres psql --quiet --set=ON_ERROR_STOP=1 --username=takt_owner --dbname=takt
    mv "$folder/owner.new" "$folder/owner"
    ;;
  'renew grafana')
    # Grafana reads the file only at its first start.
    write grafana
    docker compose exec -T grafana grafana cli admin reset-admin-password --password-from-stdin <"$folder/grafana.new"
    mv "$folder/grafana.new" "$folder/grafana"
    ;;
  'renew api' | 'renew dashboard' | 'renew intake' | 'renew worker')
    # The service takt gives the log-in its new password; the app starts again with it.
    write "$2" && mv "$folder/$2.new" "$folder/$2"
    docker compose up --detach --force-recreate takt "$2"
    ;;
  *)
    sed -n "2,3s/^# //p" "$(basename "$0")" >&2
    exit 2
    ;;
esac
