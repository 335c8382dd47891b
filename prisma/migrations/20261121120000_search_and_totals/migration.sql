-- Lists filtered by one of these, in the order of every list, and counts of them from the index alone.
CREATE INDEX "events_project_created_at_id_idx" ON "events"("project", "created_at" DESC, "id" DESC);
CREATE INDEX "events_type_created_at_id_idx" ON "events"("type", "created_at" DESC, "id" DESC);
CREATE INDEX "events_created_by_user_id_created_at_id_idx" ON "events"("created_by_user_id", "created_at" DESC, "id" DESC);
CREATE INDEX "events_environment_created_at_id_idx" ON "events"("environment", "created_at" DESC, "id" DESC);

-- Free text of three characters and more is found by its trigrams, in each text that can be searched.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX "events_data_trigram_idx" ON "events" USING gin ((data::text) gin_trgm_ops);
CREATE INDEX "events_pre_data_trigram_idx" ON "events" USING gin ((pre_data::text) gin_trgm_ops);
CREATE INDEX "events_tags_trigram_idx" ON "events" USING gin ((tags::text) gin_trgm_ops);

-- What gateways rely on when they count only what is new; docs/decisions/009-totals.md has the argument.

-- The epoch changes with everything but the addition of an event above the settled ids.
CREATE TABLE "gateway_event_log" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "epoch" UUID NOT NULL DEFAULT gen_random_uuid(),

    CONSTRAINT "gateway_event_log_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "gateway_event_log_one_row" CHECK ("id" = 1)
);
INSERT INTO "gateway_event_log" DEFAULT VALUES;

-- A sequence, since what is written to one is seen at once by every transaction, however old its snapshot is.
CREATE SEQUENCE "gateway_settled_event_id" AS integer MINVALUE 0 START 0;

CREATE FUNCTION gateway_events_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  UPDATE gateway_event_log SET epoch = gen_random_uuid();
  RETURN NULL;
END $$;

CREATE FUNCTION gateway_events_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF (SELECT min(id) FROM added) <= (SELECT last_value FROM gateway_settled_event_id) THEN
    UPDATE gateway_event_log SET epoch = gen_random_uuid();
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER gateway_events_changed AFTER UPDATE OR DELETE OR TRUNCATE ON "events"
  FOR EACH STATEMENT EXECUTE FUNCTION gateway_events_changed();
CREATE TRIGGER gateway_events_added AFTER INSERT ON "events" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION gateway_events_added();

CREATE FUNCTION gateway_settle_events(up_to integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  -- Two gateways must not set it back for each other.
  PERFORM pg_advisory_xact_lock(42427302);
  IF up_to > (SELECT last_value FROM gateway_settled_event_id) THEN
    PERFORM setval('gateway_settled_event_id', up_to);
  END IF;
END $$;

-- They run with the rights of their owner: nobody may slip other tables under them, and nobody else calls them.
DO $$
DECLARE
  signature text;
BEGIN
  FOREACH signature IN ARRAY ARRAY['gateway_events_changed()', 'gateway_events_added()', 'gateway_settle_events(integer)'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', signature, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', signature);
  END LOOP;
END $$;
