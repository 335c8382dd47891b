-- Lists the events of one creator by name, in the order of every list, and counts them from the index alone.
-- In a large log, `serve` builds the index instead, because CREATE INDEX would keep others from adding events meanwhile.
DO $$
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM "events" LIMIT 100001) AS counted) <= 100000 THEN
    CREATE INDEX "events_created_by_created_at_id_idx" ON "events"("created_by", "created_at" DESC, "id" DESC);
  END IF;
END $$;
