/**
 * Returns SQL that reads a column of times as text, in the form that formats/stored-time.ts explains. The session's time zone is
 * UTC, so the column can also have the type `timestamp`.
 * @param fraction the precision: `US` for the microseconds that PostgreSQL stores, `MS` for the milliseconds of the wire format
 */
export function timeToText(column: string, fraction: 'US' | 'MS'): string {
  const format = `YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"`;
  return `CASE
    WHEN ${column} >= '0001-01-01Z' AND ${column} < '10000-01-01Z' THEN to_char(${column} AT TIME ZONE 'UTC', '${format}')
    WHEN isfinite(${column}) THEN to_char(${column} AT TIME ZONE 'UTC', '${format} BC')
    ELSE ${column}::text END`;
}
