-- What the tables of a server that the gateway may stand beside allow, so that the same models read both.
ALTER TABLE "public_signup_tokens" ALTER COLUMN "name" DROP NOT NULL, ALTER COLUMN "enabled" DROP NOT NULL;
ALTER TABLE "users"
    ALTER COLUMN "login_attempts" DROP NOT NULL,
    ALTER COLUMN "created_at" DROP NOT NULL,
    ALTER COLUMN "is_service" DROP NOT NULL;

-- One row, in a database that mirrors the log of a server.
CREATE TABLE "gateway_mirror" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "source" TEXT NOT NULL,
    "complete_before" DATE,

    CONSTRAINT "gateway_mirror_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "gateway_mirror_one_row" CHECK ("id" = 1)
);
