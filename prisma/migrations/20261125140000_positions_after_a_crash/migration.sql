-- Advances the sequence of positions to the last position in the table. A crash soon after CREATE DATABASE … TEMPLATE sets a sequence
-- back: PostgreSQL logs 32 values in advance, and the log of a copied sequence has only the value at the time of the copy.
-- `nextval` is safe beside concurrent transactions; `setval` would not be.
CREATE FUNCTION gateway_advance_late_position() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  PERFORM pg_catalog.nextval('gateway_late_event_position_seq'::regclass)
  FROM gateway_late_event_position_seq AS taken,
    generate_series(taken.last_value + taken.is_called::int, (SELECT max(position) FROM gateway_late_event));
END $$;

CREATE OR REPLACE FUNCTION gateway_events_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  published integer := (SELECT last_value FROM gateway_settled_event_id);
BEGIN
  IF (SELECT min(id) FROM added) <= published THEN
    PERFORM gateway_advance_late_position();
    INSERT INTO gateway_late_event (event_id) SELECT id FROM added WHERE id <= published ORDER BY id;
    UPDATE gateway_event_log SET epoch = gen_random_uuid();
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION gateway_event_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NEW.id <= (SELECT last_value FROM gateway_settled_event_id) THEN
    PERFORM gateway_advance_late_position();
    INSERT INTO gateway_late_event (event_id) VALUES (NEW.id);
    PERFORM gateway_start_epoch();
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION gateway_settle_events(up_to integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  -- Two gateways must not set it back for each other.
  PERFORM pg_catalog.pg_advisory_xact_lock(42427302::bigint);
  IF up_to > (SELECT last_value FROM gateway_settled_event_id) THEN
    PERFORM pg_catalog.setval('gateway_settled_event_id'::regclass, up_to::bigint);
  END IF;
  INSERT INTO gateway_server_run DEFAULT VALUES ON CONFLICT DO NOTHING;
  -- The table was empty, as after a crash. Readers of the feed would not get the events above the value of the sequence.
  IF FOUND THEN
    PERFORM gateway_advance_late_position();
  END IF;
  -- Somebody may have emptied the table.
  INSERT INTO gateway_event_log DEFAULT VALUES ON CONFLICT DO NOTHING;
END $$;

-- A new definition of a function loses its search path. A call of the new function needs the rights of the owner.
DO $$
DECLARE
  signature text;
BEGIN
  FOREACH signature IN ARRAY ARRAY[
    'gateway_advance_late_position()', 'gateway_events_added()', 'gateway_event_added()', 'gateway_settle_events(integer)'
  ] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', signature, current_schema());
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION gateway_advance_late_position() FROM PUBLIC;

-- A crash may have set the sequence back before this migration.
SELECT gateway_advance_late_position();
