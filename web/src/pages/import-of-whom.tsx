import { Alert, NativeSelect, NumberInput, SimpleGrid, Stack, Switch } from '@mantine/core';
import type { ImportDraft } from '../../../src/import/tables/draft.ts';
import type { TableReport } from '../import/outcome.ts';
import { isolated } from '../isolated.ts';
import { useConsoleConfig } from '../session/console-config.ts';
import { t } from '../translate.ts';

interface OfWhomProps {
  draft: ImportDraft;
  change: (draft: ImportDraft) => void;
  report: TableReport | undefined;
}

/** Whether the file has everybody: who would leave then, and how many may at most. */
export function Everybody({ draft, change, report }: OfWhomProps) {
  const { maxLeavers } = draft;
  const [leavers, names] = [report?.leavers ?? 0, report?.leaving ?? []];
  const shown = names.slice(0, LEAVERS).map(({ firstName, lastName }) => isolated(`${firstName} ${lastName}`));
  return (
    <Stack gap="xs">
      <Switch
        label={t('This file has everybody')}
        description={t('Active people who are missing from it are deactivated.')}
        checked={maxLeavers !== undefined}
        onChange={({ currentTarget: { checked } }) => change({ ...draft, maxLeavers: checked ? 0 : undefined })}
      />
      {maxLeavers !== undefined && (
        <NumberInput
          label={t('Deactivate at most')}
          value={maxLeavers}
          min={0}
          max={50_000}
          allowDecimal={false}
          onChange={(value) => change({ ...draft, maxLeavers: Number(value) || 0 })}
          maw="16rem"
        />
      )}
      {maxLeavers !== undefined && leavers > 0 && (
        <Alert color={leavers > maxLeavers ? 'red' : 'yellow'} role="note">
          {t('{count} would be deactivated: {names}{more, select, yes {, …} other {.}}', {
            count: leavers,
            names: shown.join(', '),
            more: leavers > shown.length ? 'yes' : 'no',
          })}
        </Alert>
      )}
    </Stack>
  );
}

/** Whether new people are invited; nothing where there are no mails. */
export function Invitations({ draft, change }: Omit<OfWhomProps, 'report'>) {
  if (!useConsoleConfig().data?.mails) return null;
  return (
    <Switch
      label={t('Invite new people')}
      description={t('They get a mail with a link to sign in.')}
      checked={draft.invite}
      onChange={({ currentTarget: { checked } }) => change({ ...draft, invite: checked })}
    />
  );
}

/** People who are missing from the file and named. */
const LEAVERS = 20;

/** What the service asks about people whom it knows already; nothing where it asks nothing. */
export function KnownPeople({ draft, change, report }: OfWhomProps) {
  const { known } = draft;
  const asks = (choice: string) =>
    [...(report?.rows.values() ?? [])].some(({ problems }) => problems.some(({ message }) => message.includes(choice)));
  const choose = (made: ImportDraft['known']) => change({ ...draft, known: { ...known, ...made } });
  const open = { value: '', label: t('Please choose'), disabled: true };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {(known.newcomer !== undefined || asks('choose newcomer')) && (
        <NativeSelect
          label={t('Lines with the address or number of somebody who has left')}
          data={[
            open,
            { value: 'false', label: t('The same people: they are back') },
            { value: 'true', label: t('Other people: they start anew') },
          ]}
          value={String(known.newcomer ?? '')}
          error={known.newcomer === undefined}
          onChange={({ currentTarget: { value } }) => choose({ newcomer: value === 'true' })}
        />
      )}
      {(known.externalIds !== undefined || asks('choose externalIds')) && (
        <NativeSelect
          label={t('External IDs that differ from those of a directory')}
          data={[
            open,
            { value: 'keep', label: t('Keep those of the directory') },
            { value: 'replace', label: t('Take those of the file') },
          ]}
          value={known.externalIds ?? ''}
          error={known.externalIds === undefined}
          onChange={({ currentTarget: { value } }) => choose({ externalIds: value === 'keep' ? value : 'replace' })}
        />
      )}
    </SimpleGrid>
  );
}
