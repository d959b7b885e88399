import sql from 'sql-template-tag';
import { alreadyExists } from '../../../api/write-request.ts';
import { recordEvent } from '../../../audit/audit-trail.ts';
import type { Transaction } from '../../../db/database.ts';
import { user } from '../../../entities/user.ts';
import type { PersonPatch } from '../../people/change-people.ts';
import type { Directory } from '../scim-operation.ts';
import { EXTERNAL_ID, idsByExternalId, type ScimColumns, scimUsersOf } from './user-row.ts';

type Known = { id: string } & Pick<ScimColumns, 'externalId' | 'companyExternalId'>;

/** The id by which a directory knows a person from now on. */
interface NewExternalId {
  /** The id of the company changes, too, unless another directory has given that, or somebody else has the new one. */
  patch: Pick<PersonPatch, 'externalId'>;
  /** Stores it for the directory, once the person is written. */
  write(): Promise<void>;
}

/**
 * Checks the id by which a directory is to know a person. The trail has it with the person; where the id of the company stays, without its
 * value.
 *
 * @param externalId undefined: no change
 * @throws ApiError `ALREADY_EXISTS` if the directory knows somebody else by it
 */
export async function newExternalId(
  transaction: Transaction,
  { companyId, directoryId, actor }: Directory,
  { id, externalId: before, companyExternalId }: Known,
  externalId: string | null | undefined,
): Promise<NewExternalId> {
  if (externalId === undefined || externalId === before) return { patch: {}, write: async () => undefined };
  const others =
    externalId === null
      ? []
      : await transaction.query<{ isKnown: boolean }>(sql`
          select coalesce(${EXTERNAL_ID} = ${externalId}::text, false) as "isKnown"
            from (${idsByExternalId(externalId, companyId)}) named
            join ${scimUsersOf(sql`${directoryId}::uuid`)} on users.id = named.id
           where users.id <> ${id}::uuid and (users.external_id = ${externalId}::text or known.external_id = ${externalId}::text)`);
  if (others.some(({ isKnown }) => isKnown)) throw alreadyExists(user, ['externalId']);
  const isOfOther = companyExternalId !== null && companyExternalId !== before;
  const ofCompany = isOfOther ? companyExternalId : others.length > 0 ? null : externalId;
  return {
    patch: { externalId: ofCompany },
    async write() {
      await transaction.query(
        externalId === null
          ? sql`delete from directory_people where directory_id = ${directoryId}::uuid and user_id = ${id}::uuid`
          : sql`
              insert into directory_people (directory_id, user_id, external_id)
              values (${directoryId}::uuid, ${id}::uuid, ${externalId}::text)
                  on conflict (directory_id, user_id) do update set external_id = excluded.external_id`,
      );
      if (ofCompany !== companyExternalId) return;
      const event = { entity: user, id, userId: id, companyId, values: { externalId: [null, null] } };
      await recordEvent(transaction, actor, event, 'changed');
    },
  };
}
