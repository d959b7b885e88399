import { Alert, Button, Group, NativeSelect, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useState } from 'react';
import { IMPORT_FIELDS } from '../../../src/import/tables/columns.ts';
import {
  csvToSend,
  formatOf,
  hasOnlyAddresses,
  type ImportDraft,
  type ImportRow,
  obstacleOf,
  rowsOf,
  withNewcomers,
} from '../../../src/import/tables/draft.ts';
import { explain, RequestError } from '../api/client.ts';
import type { ImportReport } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { FIELD_LABELS, LINE_STATES } from '../import/labels.ts';
import { type RowState, reportOf, STATES, stateOf, type TableReport } from '../import/outcome.ts';
import { isIncomplete, problemText } from '../import/problem-text.ts';
import { keepFocus } from '../parts/record-form.tsx';
import { Failed } from '../parts/states.tsx';
import { useChanged } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { Everybody, Invitations, KnownPeople } from './import-of-whom.tsx';
import { ImportTable } from './import-table.tsx';
import { BECOMES_ADMIN } from './person-fields.ts';
import { type ImportCheck, parametersOf, useImportCheck } from './use-import-check.ts';

interface ImportPreviewProps {
  companyId: string;
  draft: ImportDraft;
  change: (draft: ImportDraft) => void;
  finish: (report: ImportReport) => void;
}

/** The preview: what would happen to each line, by the service's report; then the import. */
export function ImportPreview({ companyId, draft, change, finish }: ImportPreviewProps) {
  const { client } = useSession();
  const forget = useChanged();
  const rows = useMemo(() => rowsOf(draft, formatOf(draft)), [draft]);
  const isReady = obstacleOf(draft) === undefined && rows.length > 0;
  const check = useImportCheck(companyId, draft, rows, isReady);
  const [shown, setShown] = useState<{ state: RowState; lines: ReadonlySet<number> }>();
  const [confirmed, setConfirmed] = useState<string>();
  const [sure, setSure] = useState(0);
  const { report } = check;
  const states = useMemo(() => new Map(rows.map((row) => [row.line, stateOf(row, report)])), [rows, report]);
  const reasonId = useId();
  // Of addresses alone: those of new people get boxes for the rest.
  const isNew = ({ line }: ImportRow) => reportOf(report, line).problems.some(isIncomplete);
  const makesNew = check.isCurrent && report?.isListed === true && hasOnlyAddresses(draft) && rows.some(isNew);
  useEffect(() => {
    if (makesNew)
      change(
        withNewcomers(
          draft,
          [...states].flatMap(([line, state]) => (state === 'unchanged' ? [line] : [])),
        ),
      );
  }, [makesNew]);
  const confirm = report?.confirm === confirmed ? confirmed : undefined;
  const running = useMutation({
    mutationFn: async () => {
      const query = { companyId, ...parametersOf(draft), ...(confirm !== undefined && { confirm }) };
      const { data } = await client.importPeople(query, csvToSend(draft, rows));
      await forget();
      return data;
    },
    onSuccess: finish,
    // A concurrent change causes a problem: the new report shows it at its line.
    onError: (error) => error instanceof RequestError && error.status === 400 && check.again(),
  });
  if (!isReady) return null;
  const count = (state: RowState) => {
    if (report === undefined) return [...states.values()].filter((one) => one === state).length;
    const { counts } = report;
    return state === 'wrong' ? rows.length - counts.new - counts.update - counts.unchanged : counts[state];
  };
  const leavers = report?.leavers ?? 0;
  const [added = '', changed = '', same = '', wrong = ''] = STATES.map((state) => formatCount(count(state)));
  const isConfirmed = confirm !== undefined;
  const admins = countAdmins(report);
  const hasWork = count('new') + count('update') + leavers > 0;
  const obstacle = [
    count('wrong') > 0 &&
      t('{count, plural, one {# line needs} other {# lines need}} fixing first.', { count: count('wrong') }),
    report !== undefined && report.ofAll.length > 0 && t('The problem of the whole file comes first.'),
    report !== undefined && report.over.length > 0 && !isConfirmed && t('Confirm first what is more than usual.'),
    admins > 0 && admins !== sure && t('Confirm the new Corporate Admins first.'),
    report !== undefined && !hasWork && t('Nothing would change.'),
  ].find((reason) => reason !== false);
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('Check and import')}
      </Title>
      <Text role="status" data-testid="summary" aria-busy={!check.isCurrent}>
        {report &&
          t('{added} new, {changed} to update, {same} unchanged, {wrong} to fix.', {
            added,
            changed,
            same,
            wrong,
          })}{' '}
        {!check.isCurrent && t('Checking …')}
      </Text>
      <Group align="flex-end">
        <Start {...{ check, obstacle, running, reasonId }} />
        <Text id={reasonId} size="sm" flex="1 1 16rem">
          {obstacle !== undefined && <strong>{obstacle} </strong>}
          {t('All lines are imported, or none. Lines that need fixing can be corrected here, or left out.')}
        </Text>
        {draft.leftOut.size > 0 && (
          <Button variant="subtle" onClick={() => change({ ...draft, leftOut: new Set() })}>
            {t('Put left-out lines back ({count})', { count: formatCount(draft.leftOut.size) })}
          </Button>
        )}
        <NativeSelect
          label={t('Show')}
          data={[
            { value: '', label: t('All lines') },
            ...STATES.map((value) => ({ value, label: `${LINE_STATES[value]} (${formatCount(count(value))})` })),
          ]}
          value={shown?.state ?? ''}
          onChange={(event) =>
            setShown(
              filterBy(
                STATES.find((one) => one === event.currentTarget.value),
                states,
              ),
            )
          }
        />
      </Group>
      <Everybody draft={draft} change={change} report={report} />
      <Invitations draft={draft} change={change} />
      <KnownPeople draft={draft} change={change} report={report} />
      {report && report.over.length > 0 && (
        <Alert color="red" role="note" title={t('This file does more than usual. Check it first.')}>
          {report.over.map(({ limit, message }) => (
            <Text key={limit} size="sm">
              {message}
            </Text>
          ))}
          <Switch
            label={t('Import this file all the same')}
            checked={isConfirmed}
            onChange={({ currentTarget: { checked } }) => setConfirmed(checked ? report.confirm : undefined)}
            mt="xs"
          />
        </Alert>
      )}
      {admins > 0 && (
        <Switch
          label={t('{count, plural, one {# person becomes} other {# people become}} Corporate Admin: {meaning}', {
            count: admins,
            meaning: BECOMES_ADMIN,
          })}
          checked={sure === admins}
          onChange={({ currentTarget: { checked } }) => setSure(checked ? admins : 0)}
        />
      )}
      {running.error && <Alert color="red">{t('Nothing was imported. {why}', { why: explain(running.error) })}</Alert>}
      {check.error && <Failed error={check.error} retry={check.again} />}
      <ProblemsOfAll report={report} />
      <LeftOut report={report} rows={rows} />
      {report && report.notes.length > 0 && (
        <Alert color="yellow" role="note">
          {report.notes.slice(0, LEFT_OUT).map(({ line, message }) => (
            <Text key={`${line} ${message}`} size="sm">
              {t('Line {line}: {cells}', { line: formatCount(line ?? 0), cells: message })}
            </Text>
          ))}
        </Alert>
      )}
      <ImportTable
        companyId={companyId}
        draft={draft}
        change={change}
        rows={shown ? rows.filter(({ line }) => shown.lines.has(line)) : rows}
        states={states}
        report={report}
      />
    </Stack>
  );
}

interface StartProps {
  check: ImportCheck;
  obstacle: string | undefined;
  running: { isPending: boolean; mutate: () => void };
  reasonId: string;
}

/** The button that imports. A press settles the cell that is being edited, and imports once that is checked and has no problem. */
function Start({ check: { isCurrent, error }, obstacle, running, reasonId }: StartProps) {
  const [isPressed, setPressed] = useState(false);
  useEffect(() => {
    if (!isPressed || !(isCurrent || error)) return;
    setPressed(false);
    if (isCurrent && obstacle === undefined) running.mutate();
  }, [isPressed, isCurrent, error]);
  const press = () => {
    const edited = document.activeElement instanceof HTMLInputElement ? document.activeElement : undefined;
    setPressed(true);
    edited?.blur();
    edited?.focus();
  };
  return (
    <Button
      onMouseDown={keepFocus}
      onClick={press}
      loading={running.isPending || isPressed}
      disabled={!isCurrent || obstacle !== undefined}
      aria-describedby={reasonId}
    >
      {t('Start the import')}
    </Button>
  );
}

/** Returns how many people a file makes Corporate Admins. */
function countAdmins(report: TableReport | undefined): number {
  const isAdmin = (roles: unknown) => String(roles).includes('CORPORATE_ADMIN');
  return [...(report?.rows.values() ?? [])].filter(({ fields }) =>
    fields.some(({ field, before, after }) => field === 'roles' && isAdmin(after) && !isAdmin(before)),
  ).length;
}

/** Returns the lines that are in a state now: a corrected line stays listed until the filter is chosen again. */
function filterBy(state: RowState | undefined, states: ReadonlyMap<number, RowState | undefined>) {
  if (state === undefined) return undefined;
  return { state, lines: new Set([...states].flatMap(([line, one]) => (one === state ? [line] : []))) };
}

/** Values that are left out which are named. */
const LEFT_OUT = 20;

/** Values that the service cannot read and leaves out, while the people are imported. */
function LeftOut({ report, rows }: { report: TableReport | undefined; rows: readonly ImportRow[] }) {
  if (!report || report.leftOutTotal === 0) return null;
  const { leftOut, leftOutTotal } = report;
  return (
    <Alert
      color="yellow"
      role="note"
      title={t('Values that cannot be read and are left out: {count}. Stored values stay.', {
        count: formatCount(leftOutTotal),
      })}
    >
      {leftOut.slice(0, LEFT_OUT).map((problem) => {
        const { line, column, message } = problem;
        const field = IMPORT_FIELDS.find((name) => name === column);
        const row = rows.find((each) => each.line === line);
        const cells = field && row ? `${FIELD_LABELS[field]}: ${problemText(problem, row)}` : message;
        return (
          <Text key={`${line} ${column}`} size="sm">
            {t('Line {line}: {cells}', { line: formatCount(line ?? 0), cells })}
          </Text>
        );
      })}
      {leftOutTotal > LEFT_OUT && '…'}
    </Alert>
  );
}

function ProblemsOfAll({ report }: { report: TableReport | undefined }) {
  if (!report || report.ofAll.length === 0) return null;
  return (
    <Alert color="red">
      {report.ofAll.map(({ column, message }) => (
        <Text key={`${column} ${message}`} size="sm">
          {message}
        </Text>
      ))}
    </Alert>
  );
}
