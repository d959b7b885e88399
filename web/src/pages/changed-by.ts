import type { Client } from '../api/client.ts';
import type { NamedChange } from '../api/types.ts';
import { actorText, subjectName } from './history-sentences.ts';
import { HISTORY_LOCALE } from './history-values.ts';

/** Returns the name of the last actor who changed an object; undefined if the audit trail does not tell. */
export async function changedBy(
  client: Client,
  entity: NamedChange['entity'],
  entityId: string,
): Promise<string | undefined> {
  const { data } = await client.get('/api/audit/list', { entity, entityId, page: 1, limit: 1 });
  return data[0] && actorText(data[0], HISTORY_LOCALE);
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
  return last && actorText(last, HISTORY_LOCALE);
}
