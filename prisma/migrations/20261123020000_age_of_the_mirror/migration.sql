-- Tells how old the copy of an Unleash log is. Null until the first response of Unleash, and until the first complete copy.
ALTER TABLE "gateway_mirror" ADD COLUMN "responded_at" TIMESTAMPTZ(3),
ADD COLUMN "complete_at" TIMESTAMPTZ(3),
ADD COLUMN "complete_up_to" INTEGER;
