#!/bin/sh
# The SQL under "Two roles" in docs/database.md, run by the image of PostgreSQL when its volume is new.
set -eu
psql --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
    --set=owner="$OWNER_PASSWORD" --set=service="$SERVICE_PASSWORD" <<'SQL'
create role orgdesk_owner login password :'owner';
create role orgdesk_service login password :'service';
create database orgdesk owner orgdesk_owner template template0 encoding 'UTF8';
revoke all on database orgdesk from public;
grant connect on database orgdesk to orgdesk_service;
SQL
