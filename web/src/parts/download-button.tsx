import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { explain } from '../explain.ts';
import { pageTexts } from '../texts.ts';
import { csvOf } from './csv.ts';
import type { Column } from './data-table.tsx';
import { notify } from './notices.tsx';
import { saveFile } from './save-file.ts';

/** A list as a file. */
export interface ListFile<Row> {
  /** The file name without its extension. */
  name: string;
  columns: readonly Column<Row>[];
  load: () => Promise<readonly Row[]>;
}

/** A button that downloads all pages of a list as a CSV file. */
export function DownloadButton<Row>({ name, columns, load }: ListFile<Row>) {
  const loading = useMutation({
    mutationFn: async () => {
      const written = columns.flatMap(({ name: column, text }) => (text ? [{ column, text }] : []));
      const rows = await load();
      const lines = [written.map(({ column }) => column), ...rows.map((row) => written.map(({ text }) => text(row)))];
      saveFile(`${name}.csv`, csvOf(lines));
    },
    onError: (error) => notify('failed', explain(error)),
  });
  return (
    <Button variant="subtle" size="xs" onClick={() => loading.mutate()} loading={loading.isPending}>
      {pageTexts.form.download}
    </Button>
  );
}
