-- Makes the event log a table of partitions by ranges of ids: what is there becomes the first one, as it is, and new ones follow.
-- To run as the owner of the tables, while no import runs:  psql -v size=5000000 -v partitions=4 -f docs/partitions.sql "$DATABASE_URL"
-- The log can be neither read nor written until it is over: it is read once, and no index is built anew.
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
  -- The same indexes for the whole log; those of the first partition become parts of them.
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

  FOR old IN
    SELECT tgname AS name, pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgrelid = 'events_first'::regclass AND NOT tgisinternal
  LOOP
    EXECUTE format('DROP TRIGGER %I ON events_first', old.name);
    EXECUTE regexp_replace(old.definition, ' ON (\S+\.)?events_first ', ' ON \1events ');
  END LOOP;

  EXECUTE format('ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (%s)', start);
  FOR number IN 1 .. current_setting('gateway.partitions')::int LOOP
    EXECUTE format('CREATE TABLE events_from_%s PARTITION OF events FOR VALUES FROM (%1$s) TO (%s)', start, start + size);
    start := start + size;
  END LOOP;
  -- What comes when those are full is taken all the same.
  CREATE TABLE events_beyond PARTITION OF events DEFAULT;
END $$;

-- Whoever had rights on the log has them on it now.
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

UPDATE gateway_event_log SET epoch = gen_random_uuid();
COMMIT;
-- PostgreSQL does not do this by itself for the whole of a partitioned table: worth a line in cron.
ANALYZE events;
