import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { csvToSend, type ImportDraft, type ImportRow } from '../../../src/import/tables/draft.ts';
import { type TableReport, tableReport } from '../import/outcome.ts';
import { ownKey } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';

/** Milliseconds without a change after which the table is checked. */
const PAUSE = 300;

/** Changes that are shown field by field; of other lines the table shows no state. */
const LISTED = 1000;

export interface ImportCheck {
  /** The report of the last check, possibly of an earlier state of the table; undefined before the first. */
  report: TableReport | undefined;
  /** Whether the report is about the current state of the table. */
  isCurrent: boolean;
  error: Error | null;
  again: () => void;
}

/** Checks a table at the service after each change. @param isReady whether the table can be checked */
export function useImportCheck(
  companyId: string,
  draft: ImportDraft,
  rows: readonly ImportRow[],
  isReady: boolean,
): ImportCheck {
  const { client, userId } = useSession();
  const [settled] = useDebouncedValue({ draft, rows }, PAUSE);
  const checked = useQuery({
    queryKey: ownKey(userId, 'import-check', companyId, settled.draft.id, settled.draft.revision),
    queryFn: async ({ signal }) => {
      const csv = csvToSend(settled.draft, settled.rows);
      const { data } = await client.importPeople(
        { companyId, dryRun: true, changes: true, limit: LISTED, ...parametersOf(settled.draft) },
        csv,
        signal,
      );
      return tableReport(data, settled.draft.header);
    },
    enabled: isReady,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  // Kept while a check is under way or has failed: a correction is offered for the lines that it names.
  const [report, setReport] = useState<TableReport>();
  if (checked.data !== undefined && checked.data !== report) setReport(checked.data);
  return {
    report,
    isCurrent: checked.isSuccess && !checked.isFetching && settled.draft === draft,
    error: checked.error,
    again: () => void checked.refetch(),
  };
}

/** Returns the parameters of an import: whether of everybody and by invitation, and what is chosen for people whom the service knows already. */
export function parametersOf({ maxLeavers, invite, known }: ImportDraft) {
  return {
    ...(maxLeavers !== undefined && { mode: 'all' as const, maxLeavers }),
    ...(!invite && { invite }),
    ...(Object.keys(known).length > 0 && { choices: JSON.stringify(known) }),
  };
}
