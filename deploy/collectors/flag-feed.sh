#!/bin/sh
# Appends the new events to a file for the current day, and deletes files that are older than a week.
# Runs do not overlap: a run ends at once while another one holds the lock.
set -eu
url="${GATEWAY_URL:-https://gateway.example.com}"
token_file="${GATEWAY_TOKEN_FILE:-/run/secrets/gateway-token}"
state="${FLAG_FEED_STATE:-/var/lib/flag-feed}"
output="${FLAG_FEED_OUTPUT:-/var/log/flag-events}"

exec 9> "$state/lock"
flock --nonblock 9 || exit 0
find "$output" -name '*.ndjson' -mtime +7 -delete
file="$output/$(date -u +%F).ndjson"
# Ends a line that a full disk or a crash has cut. The feed delivers its event again.
if [ -n "$(tail -c 1 "$file" 2> /dev/null)" ]; then echo >> "$file"; fi
flag-admin-gateway feed --once --from "$url" --token-file "$token_file" --state "$state/cursor" >> "$file"
