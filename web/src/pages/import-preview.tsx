import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { csvToSend, formatOf, type ImportDraft, obstacleOf, rowsOf } from '../../../src/import/tables/draft.ts';
import { explain, RequestError } from '../api/client.ts';
import type { ImportReport } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { type RowState, STATES, stateOf, type TableReport } from '../import/outcome.ts';
import { importTexts as words } from '../lazy-texts.ts';
import { Failed } from '../parts/states.tsx';
import { useSession } from '../session/session.tsx';
import { useChanged } from '../session/use-all.ts';
import { ImportTable } from './import-table.tsx';
import { useImportCheck } from './use-import-check.ts';

interface ImportPreviewProps {
  companyId: string;
  draft: ImportDraft;
  change: (draft: ImportDraft) => void;
  finish: (report: ImportReport) => void;
}

/** The preview: what would happen to each line, by the service's report; then the import. */
export function ImportPreview({ companyId, draft, change, finish }: ImportPreviewProps) {
  const { client } = useSession();
  const changed = useChanged();
  const rows = useMemo(() => rowsOf(draft, formatOf(draft)), [draft]);
  const isReady = obstacleOf(draft) === undefined && rows.length > 0;
  const check = useImportCheck(companyId, draft, rows, isReady);
  const [shown, setShown] = useState<{ state: RowState; lines: ReadonlySet<number> }>();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const { report } = check;
  const states = useMemo(() => new Map(rows.map((row) => [row.line, stateOf(row, report)])), [rows, report]);
  if (!isReady) return null;
  const count = (state: RowState) => {
    if (report === undefined) return [...states.values()].filter((one) => one === state).length;
    const { counts } = report;
    return state === 'wrong' ? rows.length - counts.new - counts.update - counts.unchanged : counts[state];
  };
  const hasWork = count('new') + count('update') > 0;
  const isRight = count('wrong') === 0 && report?.ofAll.length === 0;
  const run = async () => {
    setRunning(true);
    setFailure(undefined);
    try {
      const { data } = await client.importPeople({ companyId }, csvToSend(draft, rows));
      await changed();
      finish(data);
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
      // A concurrent change causes a problem: the new report shows it at its line.
      if (error instanceof RequestError && error.status === 400) check.again();
    }
    setRunning(false);
  };
  return (
    <Stack>
      <Text role="status" data-testid="summary" aria-busy={!check.isCurrent}>
        {report && words.summary(STATES.map((state) => formatCount(count(state))))} {!check.isCurrent && words.checking}
      </Text>
      <Group align="flex-end">
        <Button onClick={() => void run()} loading={isRunning} disabled={!check.isCurrent || !isRight || !hasWork}>
          {words.run}
        </Button>
        <Text size="sm" flex="1 1 16rem">
          {words.note}
        </Text>
        {draft.leftOut.size > 0 && (
          <Button variant="subtle" onClick={() => change({ ...draft, leftOut: new Set() })}>
            {words.putBack(formatCount(draft.leftOut.size))}
          </Button>
        )}
        <NativeSelect
          label={words.show}
          data={[
            { value: '', label: words.all },
            ...STATES.map((value) => ({ value, label: `${words.states[value]} (${formatCount(count(value))})` })),
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
      {failure && <Alert color="red">{words.nothingDone(explain(failure))}</Alert>}
      {check.error && <Failed error={check.error} retry={check.again} />}
      <ProblemsOfAll report={report} />
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

/** Returns the lines that are in a state now: a corrected line stays listed until the filter is chosen again. */
function filterBy(state: RowState | undefined, states: ReadonlyMap<number, RowState | undefined>) {
  if (state === undefined) return undefined;
  return { state, lines: new Set([...states].flatMap(([line, one]) => (one === state ? [line] : []))) };
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
