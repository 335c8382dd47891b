-- CreateEnum
CREATE TYPE "gateway_api_token_role" AS ENUM ('VIEWER', 'ADMIN');

-- CreateTable
CREATE TABLE "events" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT transaction_timestamp(),
    "type" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_by_user_id" INTEGER,
    "environment" TEXT,
    "project" TEXT,
    "feature_name" TEXT,
    "data" JSON,
    "pre_data" JSONB,
    "tags" JSON DEFAULT '[]',
    "announced" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "public_signup_tokens" (
    "secret" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT transaction_timestamp(),
    "created_by" TEXT,
    "role_id" INTEGER NOT NULL,
    "url" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "public_signup_tokens_pkey" PRIMARY KEY ("secret")
);

-- CreateTable
CREATE TABLE "public_signup_tokens_user" (
    "secret" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "public_signup_tokens_user_pkey" PRIMARY KEY ("secret","user_id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "name" TEXT,
    "username" TEXT,
    "email" TEXT,
    "image_url" TEXT,
    "login_attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT transaction_timestamp(),
    "seen_at" TIMESTAMPTZ(6),
    "permissions" JSON,
    "deleted_at" TIMESTAMPTZ(6),
    "is_service" BOOLEAN NOT NULL DEFAULT false,
    "scim_id" TEXT,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "roles" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "roles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "role_user" (
    "role_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "project" TEXT NOT NULL DEFAULT 'default',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "role_user_pkey" PRIMARY KEY ("role_id","user_id","project")
);

-- CreateTable
CREATE TABLE "gateway_api_token" (
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "gateway_api_token_role" NOT NULL,
    "projects" TEXT[],
    "expires_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT transaction_timestamp(),
    "last_used_at" TIMESTAMPTZ(6),

    CONSTRAINT "gateway_api_token_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "events_created_at_id_idx" ON "events"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "events_feature_name_created_at_id_idx" ON "events"("feature_name", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "users_username_key" ON "users"("username");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "roles_name_key" ON "roles"("name");

-- AddForeignKey
ALTER TABLE "public_signup_tokens" ADD CONSTRAINT "public_signup_tokens_role_id_fkey" FOREIGN KEY ("role_id") REFERENCES "roles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "public_signup_tokens_user" ADD CONSTRAINT "public_signup_tokens_user_secret_fkey" FOREIGN KEY ("secret") REFERENCES "public_signup_tokens"("secret") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "public_signup_tokens_user" ADD CONSTRAINT "public_signup_tokens_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "role_user" ADD CONSTRAINT "role_user_role_id_fkey" FOREIGN KEY ("role_id") REFERENCES "roles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "role_user" ADD CONSTRAINT "role_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The root roles. Their ids are those that servers of this API give them.
INSERT INTO "roles" ("id", "name", "type") VALUES (1, 'Admin', 'root'), (2, 'Editor', 'root'), (3, 'Viewer', 'root');
SELECT setval(pg_get_serial_sequence('roles', 'id'), 3);
