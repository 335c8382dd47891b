-- Lists the events of one creator by name, in the order of every list, and counts them from the index alone.
CREATE INDEX "events_created_by_created_at_id_idx" ON "events"("created_by", "created_at" DESC, "id" DESC);
