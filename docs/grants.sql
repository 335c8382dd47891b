-- Grants the gateway's role its rights in an Unleash database: read the served data, add a signup token with its event.
-- Run it once as the owner of the tables:  psql -v role=flag_admin_gateway -f docs/grants.sql "$OWNER_DATABASE_URL"
-- First create the role as a user with CREATEROLE:  CREATE ROLE flag_admin_gateway LOGIN PASSWORD '…'
\set ON_ERROR_STOP on
\if :{?role}
\else
\warn 'Name the role:  psql -v role=flag_admin_gateway -f docs/grants.sql …'
\quit
\endif

BEGIN;
SELECT set_config('gateway.role', :'role', true) AS role \gset granted_

GRANT SELECT (id, created_at, type, created_by, created_by_user_id, environment, project, feature_name, data, pre_data, tags)
  ON events TO :"role";
GRANT SELECT (secret, name, expires_at, created_at, created_by, role_id, url, enabled) ON public_signup_tokens TO :"role";
GRANT SELECT (secret, user_id, created_at) ON public_signup_tokens_user TO :"role";
GRANT SELECT (id, name, description, type) ON roles TO :"role";
GRANT SELECT (role_id, user_id, project) ON role_user TO :"role";

-- Grants the schema, and columns of users without password hash and settings. Skips columns that the version of Unleash lacks.
DO $$
DECLARE
  present text;
BEGIN
  -- Such a role could create functions and operators that Unleash then runs with its own rights.
  IF has_schema_privilege(current_setting('gateway.role'), current_schema(), 'CREATE') THEN
    RAISE EXCEPTION 'The role % may create objects in the schema %.', current_setting('gateway.role'), current_schema()
      USING HINT = format('Run as a superuser or the owner of the schema: GRANT CREATE ON SCHEMA %I TO %I; REVOKE CREATE ON SCHEMA %I FROM PUBLIC',
        current_schema(), current_user, current_schema());
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), current_setting('gateway.role'));
  SELECT string_agg(quote_ident(attname), ', ') INTO present FROM pg_attribute
  WHERE attrelid = 'users'::regclass AND NOT attisdropped AND attname IN ('id', 'name', 'username', 'email', 'image_url', 'login_attempts',
    'created_at', 'seen_at', 'permissions', 'deleted_at', 'is_service', 'scim_id');
  EXECUTE format('GRANT SELECT (%s) ON users TO %I', present, current_setting('gateway.role'));
END $$;

-- Takes back what earlier versions of this file granted on all columns.
REVOKE INSERT ON public_signup_tokens, events FROM :"role";

-- Leave these out for a gateway that only serves reads. docs/unleash.md says what the role could forge with them.
GRANT INSERT (secret, name, expires_at, created_by, role_id, url, enabled) ON public_signup_tokens TO :"role";
GRANT INSERT (type, created_by, created_by_user_id, data, tags, announced) ON events TO :"role";
GRANT USAGE ON SEQUENCE events_id_seq TO :"role";
COMMIT;
