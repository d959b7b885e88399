import { Code, Group, Stack, Text, Title } from '@mantine/core';
import type { Delivery, Webhook } from '../api/types.ts';
import { formatCount, formatMoment, formatSecond } from '../format.ts';
import { wordsOf } from '../labels.ts';
import { ChangeButton, ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column, counts, DataTable } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import type { FormField } from '../parts/form-fields.ts';
import { Listed } from '../parts/list-controls.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { Heading } from '../parts/text.tsx';
import { useListState } from '../parts/use-list-state.ts';
import { readAll, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { ACTIONS } from './history-sentences.ts';

/** Refresh interval of the deliveries in milliseconds. */
const REFRESH_MS = 10_000;

/** What kept a message from its receiver, by what the network or the service says. */
const ERRORS = [
  [/ECONNREFUSED/, t('Nothing answers at this address.')],
  [/ENOTFOUND|EAI_AGAIN/, t('The host of the URL is unknown.')],
  [/ECONNRESET|EPIPE|socket hang up/, t('The receiver closed the connection.')],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|^No answer within/, t('There was no answer in time.')],
  [/certificate|SSL|TLS/i, t('The connection is not secure: check the certificate.')],
] as const;

function answerOf({ status, error, skippedBy }: Delivery): string {
  if (skippedBy !== null) return t('Skipped');
  const [, known] = ERRORS.find(([pattern]) => error !== null && pattern.test(error)) ?? [];
  return String(status ?? known ?? error ?? t('no answer'));
}

/** Returns what a message is about: `Person: changed` for `user.changed`. */
function subjectOf({ type }: Delivery): string {
  const [entity = '', action = ''] = type.split('.');
  const known = ACTIONS[action as keyof typeof ACTIONS];
  return known === undefined ? t('Test') : `${wordsOf(entity).label}: ${known.toLowerCase()}`;
}

function isDelivered({ status }: Delivery): boolean {
  return status !== null && status >= 200 && status < 300;
}

const COLUMNS: readonly Column<Delivery>[] = [
  { name: t('When'), show: ({ at }) => formatSecond(at), text: ({ at }) => at },
  { name: t('What'), show: subjectOf, text: ({ type }) => type },
  counts(t('Attempt'), ({ attempt }) => attempt),
  {
    name: t('Answer'),
    show: (delivery) => (
      <Stack gap={2}>
        {isDelivered(delivery) ? (
          answerOf(delivery)
        ) : (
          <Text c="var(--mantine-color-error)" inherit>
            {answerOf(delivery)}
          </Text>
        )}
        {delivery.nextAttemptAt !== null && (
          <Text size="sm">{t('Next attempt: {at}', { at: formatMoment(delivery.nextAttemptAt) })}</Text>
        )}
      </Stack>
    ),
    text: answerOf,
  },
  {
    name: t('Duration'),
    isFigure: true,
    show: ({ milliseconds }) => t('{count} ms', { count: formatCount(milliseconds) }),
    text: ({ milliseconds }) => String(milliseconds),
  },
];
const DETAILS = actions<Delivery>(t('Details'), (delivery) => (
  <DialogButton title={t('Details')} size="xs">
    {() => <Details of={delivery} />}
  </DialogButton>
));

/** What was sent, and the response; a change can be sent again. */
function Details({ of: { webhookId: id, changeId, payload, response } }: { of: Delivery }) {
  const { client } = useSession();
  return (
    <Stack>
      {changeId !== null && (
        <ChangeButton
          run={() => client.post('/api/webhooks/resend', { id, changeId })}
          said={t('Sent again. See Deliveries for the answer.')}
        >
          {t('Send again')}
        </ChangeButton>
      )}
      {payload !== null && <Shown label={t('Payload')} text={JSON.stringify(JSON.parse(payload), null, 2)} />}
      {response !== null && <Shown label={t('Response')} text={response} />}
    </Stack>
  );
}

function Shown({ label, text }: { label: string; text: string }) {
  return (
    <Stack gap={4}>
      <Title order={3} size="h6">
        {label}
      </Title>
      <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text === '' ? t('empty') : text}
      </Code>
    </Stack>
  );
}

const SINCE: readonly FormField[] = [{ name: 'since', label: t('Since (UTC)'), kind: 'date', isRequired: true }];

/** Has all changes since a day sent again. */
function ResendSince({ id, close }: { id: string; close: () => void }) {
  const { client } = useSession();
  return (
    <RecordForm
      title={t('Send again since')}
      fields={SINCE}
      first={{}}
      submit={t('Send again')}
      save={({ since }) => client.post('/api/webhooks/resend', { id, since: `${since}T00:00:00Z` })}
      saved={() => t('All changes since then are sent again, in order.')}
      close={close}
    >
      {t('Messages keep their ids: a receiver knows what it has had.')}
    </RecordForm>
  );
}

/** The deliveries of a webhook, refreshed regularly; a change that blocks the queue can be skipped. */
export function Deliveries({ webhook: { id, failedAttempts } }: { webhook: Webhook }) {
  const { client } = useSession();
  const state = useListState(25);
  const query = { id, page: state.page, limit: state.limit };
  const list = useGet('/api/webhooks/deliveries', query, { keepsPrevious: true, refetchInterval: REFRESH_MS });
  const last = list.data?.data.find(({ changeId }) => changeId !== null);
  const isStuck = failedAttempts > 0 && state.page === 1 && last !== undefined && !isDelivered(last);
  const changeId = last?.changeId;
  return (
    <>
      <Group justify="space-between">
        <Heading>{t('Deliveries')}</Heading>
        <Group>
          {isStuck && (
            <ChangeButton
              size="xs"
              run={() => client.post('/api/webhooks/update', { id, active: true })}
              said={t('Sending the change again.')}
            >
              {t('Send again now')}
            </ChangeButton>
          )}
          {isStuck && changeId && (
            <ConfirmButton
              size="xs"
              title={t('Skip this change')}
              text={t('This change is not sent again. Delivery resumes with the next one.')}
              done={t('Change skipped.')}
              run={() => client.post('/api/webhooks/skip', { id, changeId })}
            />
          )}
          <DialogButton title={t('Send again since')} size="xs">
            {(close) => <ResendSince id={id} close={close} />}
          </DialogButton>
        </Group>
      </Group>
      <Listed
        list={list}
        state={state}
        isFiltered={false}
        file={{
          name: 'deliveries',
          columns: COLUMNS,
          load: () => readAll(client, '/api/webhooks/deliveries', { id }),
        }}
        show={(deliveries, isStale) => (
          <DataTable
            label={t('Deliveries')}
            columns={[...COLUMNS, DETAILS]}
            rows={deliveries}
            keyOf={({ at, changeId: change, attempt, skippedBy }) => `${at} ${change} ${attempt} ${skippedBy}`}
            isStale={isStale}
          />
        )}
      />
    </>
  );
}
