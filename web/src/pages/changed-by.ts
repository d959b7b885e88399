import { type Client, RequestError } from '../api/client.ts';
import type { NamedChange, Query } from '../api/types.ts';
import { t } from '../translate.ts';
import { actorText, subjectName } from './history-sentences.ts';

type Subject = Pick<Query<'/api/audit/list'>, 'userId' | 'entity' | 'entityId'>;

/** Returns the name of the last actor who changed an object; undefined if the audit trail does not tell. */
export async function changedBy(
  client: Client,
  entity: NamedChange['entity'],
  entityId: string,
): Promise<string | undefined> {
  const last = await lastChange(client, { entity, entityId });
  return last && actorText(last);
}

async function lastChange(client: Client, of: Subject): Promise<NamedChange | undefined> {
  return (await client.get('/api/audit/list', { ...of, page: 1, limit: 1 })).data[0];
}

/** Changes among which the last one of a policy is searched. */
const LOOKED_AT = 20;

/** As {@link changedBy}, for a policy, whose levels have changes of their own. */
export async function policyChangedBy(
  client: Client,
  { companyId, name }: { companyId: string; name: string },
): Promise<string | undefined> {
  const { data } = await client.get('/api/audit/list', { companyId, page: 1, limit: LOOKED_AT });
  const last = data.find((change) => change.entity.startsWith('approvalPolicy') && subjectName(change) === name);
  return last && actorText(last);
}

/** Returns that somebody else has changed an object. @param who undefined: the audit trail does not tell */
export function changedSince(who: string | undefined): string {
  return who === undefined
    ? t('Someone else has changed it since. It stays as it is.')
    : t('{who} has changed it since. It stays as it is.', { who });
}

/** What the service answered to a change. */
export interface Saved {
  version: string;
  requestId: string;
}

/**
 * Undoes a change, unless somebody else has changed the object since: that stays.
 *
 * @throws Error that says who has changed it
 */
export async function undoUnlessChanged(
  client: Client,
  of: Subject,
  { version, requestId }: Saved,
  undo: (version: string) => Promise<unknown>,
): Promise<void> {
  const last = await lastChange(client, of);
  const since = () => new Error(changedSince(last && actorText(last)));
  if (last && last.requestId !== requestId) throw since();
  await undo(version).catch((error: unknown) => {
    throw error instanceof RequestError && error.status === 412 ? since() : error;
  });
}
