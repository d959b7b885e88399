import sql from 'sql-template-tag';
import { throwIfInvalid } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { mapConflicts, retryOnUniqueViolation, type WriteRequest } from '../../api/write-request.ts';
import { recordEvent } from '../../audit/audit-trail.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { ApiError, type FieldProblem, problemOf } from '../../entities/api-error.ts';
import { company } from '../../entities/company.ts';
import { SUBSTITUTE_FIELDS, user } from '../../entities/user.ts';
import { countKeysMade } from '../api-keys/keys-made.ts';
import { createPeople } from './add-people.ts';
import { pathOf } from './assignments.ts';
import { atPath, changePeople } from './change-people.ts';
import { assertNotLastAdmin } from './person-rules.ts';
import { lockPeople, type Person } from './person-service.ts';
import type { SavedUsers } from './save-users-input.ts';
import type { UserUpdate } from './users-input.ts';
import type { SavedView } from './users-schemas.ts';

/**
 * Updates and adds people of a company atomically. Updates come first, so that a new person may take an address that they free,
 * and people may take addresses from each other; the last admin may leave where another one comes. They may refer to new people.
 *
 * @throws ApiError the errors of `users/create` and `users/update`, with field paths such as `create[3].email`; `INVALID_INPUT` for an
 *   update of a person of another company. Taken ids and addresses leave an audit entry, so that probing for addresses shows.
 */
export function saveUsers(
  db: Database,
  request: WriteRequest,
  { companyId, create, update, maxLeavers = Number.POSITIVE_INFINITY }: SavedUsers,
): Promise<SavedView> {
  const ids = create.map(({ id }) => id);
  const save = () =>
    db.transaction(async (transaction) => {
      await assertCompanyVisible(transaction, request.scope, companyId);
      const made = new Set(ids);
      const refers = ({ patch }: UserUpdate) => made.has(patch.managerId ?? '') || made.has(patch.substituteId ?? '');
      const first = update.map((each) => (refers(each) ? { ...each, patch: linksOf(each.patch, false) } : each));
      const { changed, leaving } = await changeAll(transaction, request, companyId, first);
      if (leaving.length > maxLeavers) {
        const message = `allows ${maxLeavers}, but ${leaving.length} people would stop working`;
        throwIfInvalid([problemOf('maxLeavers', 'OUT_OF_RANGE', message)]);
      }
      const added = await createPeople(transaction, request, companyId, create, (index) => `create[${index}]`);
      // Who refers to new people does so once they are there.
      const linked = update.map((each) => ({ ...each, patch: refers(each) ? linksOf(each.patch, true) : {} }));
      const links = update.some(refers) ? await changeAll(transaction, request, companyId, linked) : undefined;
      for (const id of links?.changed ?? []) changed.add(id);
      if (leaving.length > 0) {
        const last = update.findLastIndex(({ id }) => id === leaving.at(-1)?.id);
        await assertNotLastAdmin(transaction, request.caller, leaving).catch((error: unknown) => {
          throw atPath(`update[${last}]`, error);
        });
      }
      const unchanged = create.length + update.length - added - changed.size;
      const saved = { added, changed: changed.size, unchanged, ids };
      const leavers = update.flatMap(({ id, patch }) => (patch.active === false ? [id] : []));
      if (leavers.length === 0) return saved;
      return { ...saved, keysMade: await countKeysMade(transaction, leavers, request.scope) };
    });
  const nameOf = (field: string) => `create.${pathOf(field)}`;
  return mapConflicts(user, () => retryOnUniqueViolation(save), nameOf).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code === 'ALREADY_EXISTS') {
      const values = { create: [null, create.length], update: [null, update.length] };
      await recordEvent(db, request.actor, { entity: company, id: companyId, companyId, values }, 'refused');
    }
    throw error;
  });
}

/** Fields by which people refer to others. */
const LINKS: readonly string[] = ['managerId', ...SUBSTITUTE_FIELDS];

/** Returns the fields of a patch by which the person refers to others, or all others. */
function linksOf(patch: UserUpdate['patch'], isWanted: boolean): UserUpdate['patch'] {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => LINKS.includes(name) === isWanted));
}

async function changeAll(
  transaction: Transaction,
  request: WriteRequest,
  companyId: string,
  updates: readonly UserUpdate[],
): Promise<{ changed: Set<string>; leaving: readonly Person[] }> {
  const leaving: Person[] = [];
  if (updates.length === 0) return { changed: new Set(), leaving };
  const ids = updates.map(({ id }) => id);
  const managers = updates.map(({ patch }) => patch.managerId);
  const known = await lockPeople(transaction, ids, sql`company_id = ${companyId}`, managers);
  throwIfInvalid(ids.flatMap((id, index) => (known.has(id) ? [] : [notOfCompany(index)])));
  const changes = updates.flatMap(({ id, patch }) => {
    const person = known.get(id);
    return person === undefined ? [] : [{ person, patch }];
  });
  const written = await changePeople(transaction, request, changes, { pathAt: (index) => `update[${index}]`, leaving });
  const changed = changes.flatMap(({ person }, index) =>
    Object.keys(written[index] ?? {}).length > 0 ? [person.id] : [],
  );
  return { changed: new Set(changed), leaving };
}

function notOfCompany(index: number): FieldProblem {
  const field = `update[${index}].id`;
  return problemOf(field, 'INVALID_VALUE', 'must be the id of a person of this company');
}
