import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { Delivery, Webhook } from '../api/types.ts';
import { formatCount, formatMoment } from '../format.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { Listed } from '../parts/list-controls.tsx';
import { notify, useAct } from '../parts/notices.tsx';
import { useListState } from '../parts/use-list-state.ts';
import { readAll, useChanged, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { webhookTexts as words } from '../texts.ts';

/** Refresh interval of the deliveries in milliseconds. */
const REFRESH_MS = 10_000;

function answerOf({ status, error, skippedBy }: Delivery): string {
  return skippedBy === null ? String(status ?? error ?? words.noAnswer) : words.skipped;
}

function isDelivered({ status }: Delivery): boolean {
  return status !== null && status >= 200 && status < 300;
}

const COLUMNS: readonly Column<Delivery>[] = [
  { name: words.at, show: ({ at }) => formatMoment(at), text: ({ at }) => at },
  { name: words.type, ...plain(({ type }) => type) },
  counts(words.attempt, ({ attempt }) => attempt),
  {
    name: words.answer,
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
          <Text size="sm">{words.nextAttempt(formatMoment(delivery.nextAttemptAt))}</Text>
        )}
      </Stack>
    ),
    text: answerOf,
  },
  {
    name: words.took,
    isFigure: true,
    show: ({ milliseconds }) => words.milliseconds(formatCount(milliseconds)),
    text: ({ milliseconds }) => String(milliseconds),
  },
];
const DETAILS = actions<Delivery>(words.details, (delivery) => (
  <DialogButton title={words.details} size="xs">
    {() => <Details of={delivery} />}
  </DialogButton>
));

/** What was sent, and the response. */
function Details({ of: { payload, response } }: { of: Delivery }) {
  return (
    <Stack>
      {payload !== null && <Shown label={words.payload} text={indented(payload)} />}
      {response !== null && <Shown label={words.response} text={response} />}
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
        {text === '' ? words.nothing : text}
      </Code>
    </Stack>
  );
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

/** The deliveries of a webhook, refreshed regularly; a change that blocks the queue can be skipped. */
export function Deliveries({ webhook: { id, failedAttempts } }: { webhook: Webhook }) {
  const { client } = useSession();
  const changed = useChanged();
  const state = useListState(25);
  const query = { id, page: state.page, limit: state.limit };
  const list = useGet('/api/webhooks/deliveries', query, { keepsPrevious: true, refetchInterval: REFRESH_MS });
  const last = list.data?.data.find(({ changeId }) => changeId !== null);
  // Switching a webhook off and on retries its deliveries at once.
  const resend = async () => {
    for (const active of [false, true]) await client.post('/api/webhooks/update', { id, active });
    await changed();
  };
  const resending = useAct(resend, () => notify('done', words.resent));
  const isStuck = failedAttempts > 0 && state.page === 1 && last !== undefined && !isDelivered(last);
  const changeId = last?.changeId;
  return (
    <>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {words.deliveries}
        </Title>
        <Group>
          {isStuck && (
            <Button variant="default" size="xs" onClick={() => resending.mutate()} loading={resending.isPending}>
              {words.resend}
            </Button>
          )}
          {isStuck && changeId && (
            <ConfirmButton
              size="xs"
              title={words.skip}
              text={words.skipText}
              done={words.skipDone}
              run={() => client.post('/api/webhooks/skip', { id, changeId })}
            />
          )}
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
            label={words.deliveries}
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
