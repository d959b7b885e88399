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
      ...(index === 0 ? { rules: ['people', 'audit'] } : {}),
    });
    await insertRow(db, 'user_identities', { issuer: text, subject: text, user_id: id });
    await db.query(sql`
      insert into company_payments (id, company_id, amount, reference)
      select id, company_id, 1, nullif(btrim(${text.slice(0, 100)}), '') from users where id = ${id}`);
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
    feed as (
      insert into feeds (company_id, name, as_of, columns) select company_id, 'people', now(), '{"email": "a\\b"}' from grouped
      returning company_id),
    brought as (
      insert into feed_people (company_id, feed, user_id, address_since)
      select feed.company_id, 'people', users.id, now() from feed join users using (company_id) order by users.id limit 1),
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
    header as (insert into webhook_headers (webhook_id, name, value) select id, 'x-team', 'a\\b' from webhook),
    progress as (insert into webhook_progress (webhook_id, position) select id, 3 from webhook)
    insert into webhook_deliveries (webhook_id, at, type, attempt, milliseconds) select id, now(), 'test', 1, 7 from webhook`);
  await db.query(sql`
    insert into directory_people (directory_id, user_id, external_id)
    select api_key_id, users.id, 'a\\b' from directory_groups join users using (company_id) order by users.id limit 1`);
  await db.query(sql`
    with person as (select id from users order by id limit 1),
    traveller as (insert into travellers (user_id, legal_given, legal_family) select id, 'a\\b', 'RAO' from person),
    document as (
      insert into traveller_documents (user_id, type, number, last_four, issuing_country)
      select id, 'PASSPORT', 'sealed', '4567', 'IN' from person),
    programme as (
      insert into traveller_programmes (user_id, kind, supplier, number, last_four) select id, 'AIR', 'AI', 'sealed', '8877' from person)
    insert into traveller_arrangers (user_id, arranger_id, may)
    select person.id, users.id, 'BOOK' from person, users order by users.id desc limit 1`);
  await db.query(sql`
    insert into substitutions (id, company_id, user_id, substitute_id, first_day, last_day)
    select ${uuid(13)}, one.company_id, one.id, another.id, '2026-01-01', '2026-01-31'
      from users one join users another on another.company_id = one.company_id and another.id > one.id
     order by one.id, another.id limit 1`);
  await db.query(sql`
    insert into field_definitions (id, company_id, entity, key, label, type, choices, required, readable_by, writable_by, sensitive, in_list, position, active)
    select ${uuid(14)}, company_id, 'user', 'shoeSize', 'a\\b', 'CHOICE', '["a\\\\b"]', false, 'SELF', 'ADMIN', false, true, 1, true
      from users order by id limit 1`);
  await db.query(
    sql`update users set fields = '{"shoeSize": "a\\\\b"}' where id = (select id from users order by id limit 1)`,
  );
  await db.query(sql`
    insert into user_moves (company_id, user_id, from_company_id, asked_for, status)
    select companies.id, users.id, users.company_id, 'a\\b', 'OPEN'
      from users join companies on companies.id <> company_id order by users.id, companies.id limit 1`);
  await db.query(sql`
    insert into mails (company_id, user_id, kind, subject_id)
    select company_id, id, 'INVITATION', 'a\\b' from users order by id limit 1`);
  await db.query(sql`
    insert into cost_centers (id, company_id, name, code, owner_id)
    select ${uuid(12)}, company_id, 'a\\b', 'CC', id from users order by id limit 1`);
  await db.query(sql`
    insert into company_groups (id, company_id, name, user_ids)
    select ${uuid(15)}, company_id, 'a\\b', id::text from users order by id limit 1`);
  await db.query(sql`
    update approval_policies set default_group_id = ${uuid(15)}
     where company_id = (select company_id from company_groups)`);
  await db.query(sql`
    update companies
       set default_department_id = (select id from departments where company_id = companies.id order by id limit 1),
           default_band_id = (select id from employee_bands where company_id = companies.id order by id limit 1)`);
  await db.query(sql`select publish_audit_changes(5)`);
  return db;
}
