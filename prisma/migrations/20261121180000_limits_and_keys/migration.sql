-- What was counted for a limit, in windows of time. Not logged: it is of a minute, and each request may write it.
CREATE UNLOGGED TABLE "gateway_rate_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" BIGINT,

    CONSTRAINT "gateway_rate_limit_pkey" PRIMARY KEY ("key")
);

-- The answers to creations that were sent with a key of their own.
CREATE TABLE "gateway_idempotency_key" (
    "caller" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "gateway_idempotency_key_pkey" PRIMARY KEY ("caller", "key")
);

-- Those that are over are found by it.
CREATE INDEX "gateway_idempotency_key_created_at_idx" ON "gateway_idempotency_key"("created_at");
