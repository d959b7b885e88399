import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { Delivery, Webhook } from '../api/types.ts';
import { formatCount, formatMoment } from '../format.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import type { FormField } from '../parts/form-fields.ts';
import { Listed } from '../parts/list-controls.tsx';
import { notify, useAct } from '../parts/notices.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { useListState } from '../parts/use-list-state.ts';
import { readAll, useChanged, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

/** Refresh interval of the deliveries in milliseconds. */
const REFRESH_MS = 10_000;

function answerOf({ status, error, skippedBy }: Delivery): string {
  return skippedBy === null ? String(status ?? error ?? t('no answer')) : t('Skipped');
}

function isDelivered({ status }: Delivery): boolean {
  return status !== null && status >= 200 && status < 300;
}

const COLUMNS: readonly Column<Delivery>[] = [
  { name: t('When'), show: ({ at }) => formatMoment(at), text: ({ at }) => at },
  { name: t('What'), ...plain(({ type }) => type) },
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
  const changed = useChanged();
  const again = async () => {
    if (changeId !== null) await client.post('/api/webhooks/resend', { id, changeId });
    await changed();
  };
  const resending = useAct(again, () => notify('done', t('Sent again. See Deliveries for the answer.')));
  return (
    <Stack>
      {changeId !== null && (
        <Button variant="default" onClick={() => resending.mutate()} loading={resending.isPending}>
          {t('Send again')}
        </Button>
      )}
      {payload !== null && <Shown label={t('Payload')} text={indented(payload)} />}
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

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
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
  const changed = useChanged();
  const state = useListState(25);
  const query = { id, page: state.page, limit: state.limit };
  const list = useGet('/api/webhooks/deliveries', query, { keepsPrevious: true, refetchInterval: REFRESH_MS });
  const last = list.data?.data.find(({ changeId }) => changeId !== null);
  const resend = async () => {
    await client.post('/api/webhooks/update', { id, active: true });
    await changed();
  };
  const resending = useAct(resend, () => notify('done', t('Sending the change again.')));
  const isStuck = failedAttempts > 0 && state.page === 1 && last !== undefined && !isDelivered(last);
  const changeId = last?.changeId;
  return (
    <>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('Deliveries')}
        </Title>
        <Group>
          {isStuck && (
            <Button variant="default" size="xs" onClick={() => resending.mutate()} loading={resending.isPending}>
              {t('Send again now')}
            </Button>
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
          load: () => readAll((cursor) => client.get('/api/webhooks/deliveries', { id, ...cursor })),
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
