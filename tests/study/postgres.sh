#!/bin/sh
# postgres.sh up|down|crash DIR: a PostgreSQL server of our own under DIR, on a socket there and nowhere else. Exit code 77: it cannot be had here.
set -u
what=$1 dir=$2
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -n "$bin" ] && [ -x "$bin/pg_ctl" ] || exit 77
if [ "$(id -u)" -eq 0 ]; then # the server refuses root
  id postgres >/dev/null 2>&1 || exit 77
  as="runuser -u postgres --"
else
  as=""
fi
options="-c listen_addresses= -p 54398 -k $dir -c fsync=off"
case $what in
  up)
    if [ ! -d "$dir/data" ]; then
      mkdir -p "$dir" && chmod 755 "$(dirname "$dir")" "$dir" || exit 1
      [ -z "$as" ] || chown postgres "$dir"
      (cd / && $as "$bin/initdb" -D "$dir/data" -U sim --auth-local=trust --auth-host=reject -E UTF8 --locale=C.UTF-8 --no-sync) || exit 1
    fi
    rm -f "$dir/data/postmaster.pid" # of a server that was killed
    cd / && $as "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -t 30 -o "$options" start
    ;;
  down) cd / && $as "$bin/pg_ctl" -D "$dir/data" -m fast -w stop ;;
  crash) # kill -9 of exactly this server; its children see that and end
    kill -9 "$(head -n 1 "$dir/data/postmaster.pid")" && sleep 0.3
    ;;
esac
