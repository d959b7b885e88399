import type { Mail, Person } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, counts, plain } from '../parts/data-table.tsx';
import { ChoiceFilter } from '../parts/filters.tsx';
import { TextLink } from '../parts/links.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { t } from '../translate.ts';

const STATES = {
  QUEUED: t('Waits'),
  SENT: t('Sent'),
  FAILED: t('Failed'),
  DROPPED: t('Dropped, as the person had left'),
  LEFT: t('Left to your own sender'),
};
const KINDS = {
  INVITATION: t('Invitation'),
  ADDED: t('Added to a company'),
  SUBSTITUTE: t('Decides for somebody'),
  KEY_EXPIRES: t('API key expires'),
  WEBHOOK_OFF: t('Webhook switched off'),
  DIRECTORY_REFUSED: t('Directory refused'),
};

function stateOf({ status, acceptedAt, error, nextAttemptAt }: Mail): string {
  if (acceptedAt !== null) return t('Signed in {at}', { at: formatMoment(acceptedAt) });
  const waits = nextAttemptAt !== null && error !== null;
  const state = waits ? t('Next attempt: {at}', { at: formatMoment(nextAttemptAt) }) : STATES[status];
  return error === null ? state : `${state} (${error})`;
}

const COLUMNS: readonly Column<Mail>[] = [
  {
    name: t('Name'),
    show: ({ userId, name }) => <TextLink href={`/people/${userId}`}>{name}</TextLink>,
    text: ({ name }) => name,
  },
  { name: t('What'), ...plain(({ kind }) => KINDS[kind]) },
  { name: t('When'), ...plain(({ createdAt, sentAt }) => formatMoment(sentAt ?? createdAt)) },
  counts(t('Attempts'), ({ attempts }) => attempts),
  { name: t('Status'), ...plain(stateOf) },
];

/** The mails to people about a company: what was sent, what waits and what failed. */
export function MailsPage({ profile }: { profile: Person }) {
  const state = useAddressState().value('status');
  const status = state in STATES ? (state as Mail['status']) : undefined;
  return (
    <CompanyList
      path="/api/mails/list"
      profile={profile}
      title={t('Mails')}
      lead={(company) => t('What people were sent about {company} in the last 90 days.', { company })}
      leadOfAll={t('What people were sent about all companies in the last 90 days.')}
      crumbs={[{ href: '/people', label: t('People') }]}
      list={() => ({
        filters: { status },
        columns: COLUMNS,
        file: 'mails',
        controls: <ChoiceFilter name="status" label={t('Status')} every={t('All')} choices={STATES} />,
      })}
    />
  );
}
