import sql from 'sql-template-tag';
import { addPerson } from '../support/people.ts';
import { insertRow, uuid } from '../support/rows.ts';
import { openDemoDatabase, type TestDatabase } from '../support/test-database.ts';

/** Texts that a careless writer of COPY gets wrong. */
export const NASTY = [
  '\\N',
  '\\.',
  '\t',
  'a\nb',
  '\r\n',
  '\\\\t',
  '\u2028',
  '𝒳 "é"',
  "'; drop",
  '\\x41 \\101',
  ' ',
  '\u0085',
];

/** The demo, and a row in each of the other tables. */
export async function openFullDatabase(): Promise<TestDatabase> {
  const db = await openDemoDatabase();
  for (const [index, text] of NASTY.entries()) {
    const { id } = await addPerson(db, {
      columns: { first_name: text, address_line_2: index % 2 ? null : text },
      systemRole: { role: 'PLATFORM_RM', active: index % 2 === 0 },
    });
    await insertRow(db, 'user_identities', { issuer: text, subject: text, user_id: id });
    await insertRow(db, 'sign_ins', { user_id: id, refused_at: '2026-01-31', refusal: text.slice(0, 100) });
    const values = JSON.stringify({ gender: [text, null] });
    await db.query(sql`
      with change as (
        insert into audit_changes (actor_kind, run_id, action, entity, entity_id, user_id, fields, field_values)
        values ('import', ${uuid(7)}::uuid, 'changed', 'user', ${text}, ${id}::uuid, array[${text}::text], ${values}::text::jsonb)
        returning id)
      insert into audit_personal_values select id, ${values}::text::jsonb from change`);
  }
  await db.query(sql`
    with key as (
      insert into api_keys (id, name, scopes, prefix, hash)
      values (${uuid(8)}, 'Engine', 'users.read', 'odk_12345678', ${'0'.repeat(64)}) returning id),
    said as (
      insert into scim_users (user_id, company_id, phone_type)
      select id, company_id, 'from\a "directory"' from users order by id limit 1),
    grouped as (
      insert into directory_groups (company_id, api_key_id, display_name)
      select company_id, key.id, 'from\\a "directory"' from key, users order by users.id limit 1 returning id, company_id),
    member as (
      insert into directory_group_members (group_id, user_id)
      select grouped.id, users.id from grouped join users using (company_id) order by users.id limit 1),
    mapping as (
      insert into group_mappings (id, company_id, group_id, role, priority)
      select ${uuid(10)}, company_id, id, 'MANAGER', 7 from grouped),
    connection as (
      insert into sign_in_connections
        (id, company_id, issuer, audience, algorithm, subject_claim, token_use, emails_verified, domains, active)
      select ${uuid(11)}, company_id, 'https://id.example', 'a\\b', 'RS256', 'sub', 'access', false, 'a.example b.example', true
        from grouped),
    webhook as (insert into webhooks (id, url, entities, active, disabled_reason)
                values (${uuid(9)}, 'https://hooks.example', 'user', false, 'gone') returning id),
    secret as (insert into webhook_secrets (webhook_id, secret) select id, 'whsec_AAAA' from webhook),
    progress as (insert into webhook_progress (webhook_id, position) select id, 3 from webhook)
    insert into webhook_deliveries (webhook_id, at, type, attempt, milliseconds) select id, now(), 'test', 1, 7 from webhook`);
  await db.query(sql`
    update companies
       set default_department_id = (select id from departments where company_id = companies.id order by id limit 1),
           default_band_id = (select id from employee_bands where company_id = companies.id order by id limit 1)`);
  await db.query(sql`select publish_audit_changes(5)`);
  return db;
}
