-- Turns the event log into a table partitioned by ranges of ids. The present table becomes the first partition unchanged.
-- Run it as the owner of the tables, while no import runs:  psql -v size=5000000 -v partitions=4 -f docs/partitions.sql "$DATABASE_URL"
-- The script blocks reads and writes of the log until it ends. It reads the log once and rebuilds no index.
\set ON_ERROR_STOP on
BEGIN;
LOCK TABLE events IN ACCESS EXCLUSIVE MODE;
SELECT set_config('gateway.size', :'size', true), set_config('gateway.partitions', :'partitions', true);

ALTER TABLE events RENAME TO events_first;
CREATE TABLE events (LIKE events_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE) PARTITION BY RANGE (id);
ALTER SEQUENCE events_id_seq OWNED BY events.id;

DO $$
DECLARE
  old record;
  size bigint := current_setting('gateway.size');
  start bigint := (SELECT coalesce(max(id), 0) / size * size + size FROM events_first);
BEGIN
  -- Creates the same indexes for the whole log. The indexes of the first partition become their parts.
  FOR old IN
    SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition, indisprimary AS is_primary
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'events_first'::regclass
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', old.name, 'first_' || left(old.name, 57));
    IF old.is_primary THEN
      EXECUTE format('ALTER TABLE events ADD CONSTRAINT %I PRIMARY KEY (id)', old.name);
    ELSE
      EXECUTE regexp_replace(old.definition, 'INDEX \S+ ON (\S+\.)?events_first ', format('INDEX %I ON \1events ', old.name));
    END IF;
  END LOOP;

  -- The triggers of the new table are created below.
  DROP TRIGGER gateway_events_changed ON events_first;
  DROP TRIGGER gateway_events_added ON events_first;

  EXECUTE format('ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (%s)', start);
  FOR number IN 1 .. current_setting('gateway.partitions')::int LOOP
    EXECUTE format('CREATE TABLE events_from_%s PARTITION OF events FOR VALUES FROM (%1$s) TO (%s)', start, start + size);
    start := start + size;
  END LOOP;
  -- Takes the events that come when the other partitions are full.
  CREATE TABLE events_beyond PARTITION OF events DEFAULT;
END $$;

-- Copies the grants of the old table to the new one.
DO $$
DECLARE
  given record;
BEGIN
  FOR given IN
    SELECT privilege_type AS privilege, is_grantable, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS role
    FROM aclexplode((SELECT relacl FROM pg_class WHERE oid = 'events_first'::regclass))
  LOOP
    EXECUTE format('GRANT %s ON events TO %s %s', given.privilege, given.role, CASE WHEN given.is_grantable THEN 'WITH GRANT OPTION' END);
  END LOOP;
END $$;

SELECT gateway_watch_events();
UPDATE gateway_event_log SET epoch = gen_random_uuid();
COMMIT;
-- Autovacuum does not analyze partitioned tables. Run this regularly, for example from cron.
ANALYZE events;
