-- Tells one run of the server from the next. PostgreSQL empties a table that is not logged after a crash, which may have lost commits.
CREATE UNLOGGED TABLE "gateway_server_run" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "run" UUID NOT NULL DEFAULT gen_random_uuid(),

    CONSTRAINT "gateway_server_run_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "gateway_server_run_one_row" CHECK ("id" = 1)
);
INSERT INTO "gateway_server_run" DEFAULT VALUES;

-- Returns the run, or null after a crash until the next publication. A standby cannot read the table.
CREATE FUNCTION gateway_run() RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER AS $$
BEGIN
  IF pg_is_in_recovery() THEN
    RETURN 'standby';
  END IF;
  RETURN (SELECT run FROM gateway_server_run);
END $$;

-- Identifies the database and the files of the log: a snapshot that is renamed into place has others, and so has a table that was
-- restored. A partition that is attached again has another row in pg_inherits. A session plans these queries once.
-- STABLE, so that it reads with the snapshot of the calling statement. A VOLATILE function would see later commits.
CREATE FUNCTION gateway_log_files() RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  events regclass := to_regclass('events');
  files text := pg_relation_filenode(events);
BEGIN
  IF files IS NULL THEN
    SELECT md5(string_agg(concat_ws(':', inhrelid, pg_inherits.xmin, pg_relation_filenode(inhrelid)), ',' ORDER BY inhrelid)) INTO files
    FROM pg_partition_tree(events) JOIN pg_inherits ON inhrelid = relid;
  END IF;
  RETURN concat_ws('/', (SELECT oid FROM pg_database WHERE datname = current_database()), to_regclass('gateway_event_log')::oid,
    events::oid, files);
END $$;

-- Returns the epoch of the log with the transaction that started it, because a restore may bring an earlier epoch back. Null without a row.
-- STABLE for the same reason.
CREATE FUNCTION gateway_log_epoch() RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT epoch::text || '.' || xmin::text FROM gateway_event_log);
END $$;

CREATE OR REPLACE FUNCTION gateway_settle_events(up_to integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  -- Two gateways must not set it back for each other.
  PERFORM pg_catalog.pg_advisory_xact_lock(42427302::bigint);
  IF up_to > (SELECT last_value FROM gateway_settled_event_id) THEN
    PERFORM pg_catalog.setval('gateway_settled_event_id'::regclass, up_to::bigint);
  END IF;
  INSERT INTO gateway_server_run DEFAULT VALUES ON CONFLICT DO NOTHING;
  -- Somebody may have emptied the table.
  INSERT INTO gateway_event_log DEFAULT VALUES ON CONFLICT DO NOTHING;
END $$;

-- Starts a new epoch, once in each transaction: a row trigger calls it for each row.
CREATE FUNCTION gateway_start_epoch() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  UPDATE gateway_event_log SET epoch = gen_random_uuid() WHERE xmin <> pg_current_xact_id()::xid;
END $$;

CREATE FUNCTION gateway_event_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  PERFORM gateway_start_epoch();
  RETURN NULL;
END $$;

CREATE FUNCTION gateway_event_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NEW.id <= (SELECT last_value FROM gateway_settled_event_id) THEN
    PERFORM gateway_start_epoch();
  END IF;
  RETURN NULL;
END $$;

-- Creates the triggers of the log. A partition fires row triggers of its parent also if a statement names the partition, but no statement
-- triggers. They fire in sessions that replicate, too.
CREATE FUNCTION gateway_watch_events() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_partitioned boolean := (SELECT relkind = 'p' FROM pg_class WHERE oid = 'events'::regclass);
BEGIN
  DROP TRIGGER IF EXISTS gateway_events_changed ON events;
  DROP TRIGGER IF EXISTS gateway_events_added ON events;
  DROP TRIGGER IF EXISTS gateway_event_changed ON events;
  DROP TRIGGER IF EXISTS gateway_event_added ON events;
  IF is_partitioned THEN
    CREATE TRIGGER gateway_events_changed AFTER TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION gateway_events_changed();
    CREATE TRIGGER gateway_event_changed AFTER UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION gateway_event_changed();
    CREATE TRIGGER gateway_event_added AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION gateway_event_added();
    ALTER TABLE events ENABLE ALWAYS TRIGGER gateway_event_changed;
    ALTER TABLE events ENABLE ALWAYS TRIGGER gateway_event_added;
  ELSE
    CREATE TRIGGER gateway_events_changed AFTER UPDATE OR DELETE OR TRUNCATE ON events
      FOR EACH STATEMENT EXECUTE FUNCTION gateway_events_changed();
    CREATE TRIGGER gateway_events_added AFTER INSERT ON events REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION gateway_events_added();
    ALTER TABLE events ENABLE ALWAYS TRIGGER gateway_events_added;
  END IF;
  ALTER TABLE events ENABLE ALWAYS TRIGGER gateway_events_changed;
END $$;
SELECT gateway_watch_events();

-- They run with the rights of their owner: nobody may slip other tables under them. Their calls have the exact types of the arguments of
-- PostgreSQL's own functions, because a function in the schema with better matching types would be called instead. Only the first is for every role.
DO $$
DECLARE
  signature text;
BEGIN
  FOREACH signature IN ARRAY ARRAY[
    'gateway_run()', 'gateway_settle_events(integer)', 'gateway_start_epoch()', 'gateway_event_changed()', 'gateway_event_added()',
    'gateway_watch_events()'
  ] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', signature, current_schema());
    IF signature <> 'gateway_run()' THEN
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', signature);
    END IF;
  END LOOP;
END $$;
