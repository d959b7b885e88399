import sql from 'sql-template-tag';
import type { Context } from '../../app/context.ts';
import { identityProvider } from '../../auth/tokens/identity-provider.ts';
import { unknownSettings } from '../../config/environment.ts';
import { pendingMigrations, schemaVersions, unsuitableDatabase } from '../../db/migrator.ts';
import { readGeography } from '../../features/geography/geography-file.ts';
import { lackOfRights } from './service-rights.ts';

/** Result of a check. */
export interface Finding {
  /** `note`: it works, but may not be intended. */
  state: 'ok' | 'note' | 'wrong';
  /** Message; for a problem, with its remedy. */
  text: string;
}

const ok = (text: string): Finding => ({ state: 'ok', text });
const note = (text: string): Finding => ({ state: 'note', text });
const wrong = (text: string): Finding => ({ state: 'wrong', text });

/** Tolerated clock difference between service and database in seconds; tokens tolerate half a minute. */
const CLOCK_TOLERANCE = 5;

const NO_SCHEMA =
  'there is no schema, and this role may not make it: run `orgdesk migrate` as the owner of the database, and give this role its rights (docs/database.md)';

/** Checks in order: later ones may rely on earlier ones. */
export const CHECKS: Readonly<Record<string, (context: Context) => Finding | Promise<Finding>>> = {
  settings() {
    const unknown = unknownSettings(process.env);
    return unknown.length === 0 ? ok('all that are set are understood') : note(unknown.join(' '));
  },
  tokens({ config }) {
    if (config.identityProvider) return ok(`from the identity provider ${config.identityProvider.issuer}`);
    if (config.jwtSecretPrevious !== undefined)
      return note('by JWT_SECRET; those by JWT_SECRET_PREVIOUS are taken too. Leave it out when they have run out');
    if (config.jwtSecret !== undefined) return ok('by JWT_SECRET');
    if (config.databaseUrl === undefined) return ok('by the key in DATA_DIR');
    return note(
      'by the key in DATA_DIR, which other instances do not have: set JWT_SECRET or OIDC_ISSUER where there are several',
    );
  },
  async database({ db }) {
    const [row] = await db.query<{
      version: number;
      name: string;
      role: string;
      isSuper: boolean;
    }>(sql`
      select current_setting('server_version_num')::integer as version, current_setting('server_version') as name,
             current_user::text as role, (select rolsuper from pg_roles where rolname = current_user) as "isSuper"`);
    if (row === undefined || db.kind === 'embedded') return ok(`embedded PostgreSQL ${row?.name ?? ''}`);
    if (row.version < 150_000) return wrong(`PostgreSQL ${row.name} is too old: use 15 or newer`);
    const unsuitable = await unsuitableDatabase(db);
    if (unsuitable !== undefined) return wrong(unsuitable);
    const text = `PostgreSQL ${row.name}, as ${row.role}`;
    return row.isSuper ? note(`${text}, a superuser: give the service a role of its own (docs/database.md)`) : ok(text);
  },
  async connections({ db, config }) {
    if (db.kind === 'embedded') return ok('those of the embedded database');
    // Each process also listens for changes, and may hold one for long work.
    const wanted = config.databaseMaxConnections + 2;
    const [row] = await db.query<{ ofServer: number; ofDatabase: number; ofRole: number }>(sql`
      select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as "ofServer",
             (select datconnlimit from pg_database where datname = current_database()) as "ofDatabase",
             (select rolconnlimit from pg_roles where rolname = current_user) as "ofRole"`);
    const limits = { server: row?.ofServer ?? -1, database: row?.ofDatabase ?? -1, role: row?.ofRole ?? -1 };
    for (const [what, limit] of Object.entries(limits)) {
      if (limit >= 0 && limit < wanted)
        return wrong(
          `the ${what} allows ${limit}, and this instance may take ${wanted}: lower DATABASE_MAX_CONNECTIONS, or raise the limit`,
        );
    }
    return ok(`up to ${wanted} for this instance; the server allows ${limits.server} in all`);
  },
  async schema({ db }) {
    const { present, pending } = await pendingMigrations(db);
    if (pending.length === 0) return ok(`version ${present}`);
    if (present === 0) return note('none yet: the first `orgdesk serve`, `admin` or `migrate` makes it');
    return wrong(
      `version ${present}, ${pending.length} migrations are pending: run \`orgdesk migrate\` as the owner of the tables`,
    );
  },
  async rights({ db, config }) {
    if ((await schemaVersions(db)).present === 0) {
      const [may] = await db.query(sql`select where has_schema_privilege(current_schema(), 'create')`);
      return may ? ok('this role may make the schema') : wrong(NO_SCHEMA);
    }
    const lacking = await lackOfRights(db, config);
    if (lacking !== undefined) return wrong(lacking);
    if (db.kind === 'embedded') return ok('those of the owner');
    const [row] = await db.query<{ owns: boolean }>(
      sql`select pg_has_role((select relowner from pg_class where oid = 'audit_changes'::regclass), 'usage') as owns`,
    );
    return ok(row?.owns ? 'those of the owner of the tables, who may migrate' : 'those of the service');
  },
  async geography({ config }) {
    const { states, cities } = await readGeography(config);
    return ok(`${states.length} states and ${cities.length} cities`);
  },
  async 'identity provider'({ config }) {
    if (config.identityProvider === undefined) return ok('none is set');
    // A separate instance: a running service keeps its own keys.
    using provider = identityProvider(config.identityProvider);
    let failure = 'no answer';
    await provider.start((error) => {
      failure = String(error);
    });
    if (provider.keys.state === 'up') return ok(`${provider.issuer} gives its keys`);
    return wrong(`${provider.issuer} gives no keys (${failure}): see docs/identity-providers.md`);
  },
  proxy({ config }) {
    if (config.trustProxy.length > 0) return ok(`X-Forwarded-For of ${config.trustProxy.join(', ')} is believed`);
    if (['127.0.0.1', '::1', 'localhost'].includes(config.host))
      return note(
        'TRUST_PROXY is not set: behind a proxy on this machine no caller meets a rate limit (docs/security.md)',
      );
    return note(
      `TRUST_PROXY is not set, and the service listens on ${config.host}: behind a proxy all callers count as one`,
    );
  },
  disk({ db, config }) {
    if (db.diskState === undefined) return ok("the database server's");
    if (db.diskState() === 'ok') return ok(`more than the reserve is free in ${config.dataDir}`);
    return wrong(`less than DISK_RESERVE is free in ${config.dataDir}: nothing is written until there is space`);
  },
  async clock({ db }) {
    const before = Date.now();
    const [row] = await db.query<{ now: string }>(
      sql`select (extract(epoch from clock_timestamp()) * 1000)::text as now`,
    );
    const [now, after] = [Number(row?.now), Date.now()];
    const off = Math.max(before - now, now - after, 0) / 1000;
    if (off <= CLOCK_TOLERANCE) return ok('that of the database agrees');
    return wrong(`differs by ${Math.round(off)} s from that of the database: synchronise both (NTP)`);
  },
};
