#!/bin/sh
# Splunk runs this script at each interval, and indexes its output. The command keeps the cursor.
set -eu
url="${GATEWAY_URL:-https://gateway.example.com}"
token_file="${GATEWAY_TOKEN_FILE:-/run/secrets/gateway-token}"
state="${FLAG_FEED_STATE:-/var/lib/flag-feed}"

exec flag-admin-gateway feed --once --from "$url" --token-file "$token_file" --state "$state/splunk.cursor"
