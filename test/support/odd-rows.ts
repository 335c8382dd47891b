/** Adds events that no API of today writes, but that a database can hold: extreme times, odd names and odd JSON. */
export const ADD_ODD_ROWS = `
  INSERT INTO events (created_at, type, created_by, created_by_user_id, environment, project, feature_name, data, pre_data, tags)
  SELECT time::timestamptz, type, coalesce(name, ''), number, name, name, name, data::json, pre_data::jsonb, tags::json
  FROM unnest(ARRAY['infinity', '-infinity', '20000-02-29', '0044-03-15 BC', '4714-11-24 BC', '294276-12-31', '0001-01-01', '2026-01-01']) AS time,
    unnest(
      ARRAY['', 'feature-created', E'a\\nb', 'constructor'],
      ARRAY['', NULL, E'line\\r\\nbreak', repeat('é', 2000)],
      ARRAY[0, -2147483648, 2147483647, NULL],
      ARRAY['null', '1e400', '"\\ud800"', repeat('[', 500) || repeat(']', 500)],
      ARRAY['null', '{"": {"__proto__": null}}', '1e400', NULL],
      ARRAY['null', '{"type": 1}', '[1, null, {"type": "a"}, {"type": null, "value": {}}]', '"text"']
    ) AS row(type, name, number, data, pre_data, tags)`;
