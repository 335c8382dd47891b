-- Lists the events that were added at or below the published id, in the order in which they were added. The feed has them after the events
-- that it delivered before (docs/decisions/040-feed.md).
CREATE TABLE "gateway_late_event" (
    "position" BIGSERIAL NOT NULL,
    "event_id" INTEGER NOT NULL,
    "added_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "gateway_late_event_pkey" PRIMARY KEY ("position")
);

CREATE OR REPLACE FUNCTION gateway_events_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  published integer := (SELECT last_value FROM gateway_settled_event_id);
BEGIN
  IF (SELECT min(id) FROM added) <= published THEN
    INSERT INTO gateway_late_event (event_id) SELECT id FROM added WHERE id <= published ORDER BY id;
    UPDATE gateway_event_log SET epoch = gen_random_uuid();
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION gateway_event_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NEW.id <= (SELECT last_value FROM gateway_settled_event_id) THEN
    INSERT INTO gateway_late_event (event_id) VALUES (NEW.id);
    PERFORM gateway_start_epoch();
  END IF;
  RETURN NULL;
END $$;

-- A new definition of a function loses its search path.
DO $$
DECLARE
  signature text;
BEGIN
  FOREACH signature IN ARRAY ARRAY['gateway_events_added()', 'gateway_event_added()'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', signature, current_schema());
  END LOOP;
END $$;
