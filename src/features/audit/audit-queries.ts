import sql, { join, type Sql } from 'sql-template-tag';
import type { Executor } from '../../db/database.ts';
import { selectPage } from '../../db/select-page.ts';
import { allOf, isoTimestamp } from '../../db/sql-fragments.ts';
import type { Page, PageRequest } from '../../http/pagination.ts';
import type { ChangeView } from './audit-schemas.ts';

/** Whose changes may be seen: all, or those that concern a person or one of some companies. */
export type Visibility = 'all' | { userId: string; companyIds: readonly string[] };

/** Changes that are published at once at most: so long may one answer of the feed take. */
const PUBLISHED_AT_ONCE = 1000;

const changeColumns: Sql = sql`
  id::text as id, ${isoTimestamp(sql`changed_at`)} as "changedAt", action, entity, entity_id as "entityId",
  user_id as "userId", company_id as "companyId",
  json_build_object('kind', actor_kind, 'userId', actor_id, 'runId', run_id) as actor, request_id as "requestId",
  (select coalesce(json_agg(json_build_object('field', name, 'before', pair -> 0, 'after', pair -> 1, 'kept', pair is not null)
                            order by place), '[]')
     from (select coalesce(field_values, '{}') || coalesce(
             (select personal.field_values from audit_personal_values personal where change_id = audit_changes.id), '{}')
          ) kept (field_values),
          unnest(fields) with ordinality field (name, place), lateral (select kept.field_values -> name) value (pair)
  ) as changes`;

/** One page of the changes that may be seen, newest first: what is not published yet, by id, then by position. */
export function listChanges(
  db: Executor,
  visibility: Visibility,
  filter: { userId?: string; companyId?: string },
  page: PageRequest,
): Promise<Page<ChangeView>> {
  return selectPage<ChangeView>(
    db,
    {
      columns: changeColumns,
      from: sql`audit_changes`,
      where: allOf([
        visibility === 'all' ? undefined : concerns(visibility),
        filter.userId === undefined ? undefined : sql`user_id = ${filter.userId}`,
        filter.companyId === undefined ? undefined : sql`company_id = ${filter.companyId}`,
      ]),
      // Qualified, as the columns of these names that are selected are texts.
      orderBy: sql`audit_changes.position desc nulls first, audit_changes.id desc`,
    },
    page,
  );
}

function concerns({ userId, companyIds }: Exclude<Visibility, 'all'>): Sql {
  if (companyIds.length === 0) return sql`user_id = ${userId}`;
  return sql`(user_id = ${userId} or company_id in (${join(companyIds)}))`;
}

/** Gives committed changes their positions in the feed; none where somebody else is about it. */
export async function publishChanges(db: Executor): Promise<void> {
  await db.query(sql`select publish_audit_changes(${PUBLISHED_AT_ONCE}::integer)`);
}

/** A published change and its position, a whole number in decimal. */
export type PublishedChange = ChangeView & { position: string };

/** The published changes after a position that may be seen, in the order of the feed. */
export function listPublishedChanges(
  db: Executor,
  visibility: Visibility,
  { after, limit }: { after: string; limit: number },
): Promise<PublishedChange[]> {
  const next = sql`audit_changes.position > ${after}::bigint order by audit_changes.position limit ${limit}::integer`;
  const visible =
    visibility === 'all'
      ? sql`${next}`
      : sql`
        id in (
          (select id from audit_changes where user_id = ${visibility.userId} and ${next})
          union
          select concerned.id
            from json_array_elements_text(${JSON.stringify(visibility.companyIds)}::text::json) company (id),
                 lateral (select audit_changes.id from audit_changes where company_id = company.id::uuid and ${next}) concerned
        ) order by audit_changes.position limit ${limit}::integer`;
  return db.query<PublishedChange>(
    sql`select position::text as position, ${changeColumns} from audit_changes where ${visible}`,
  );
}
