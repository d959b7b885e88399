import { Alert, Button, FileInput, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { LEGACY_ENCODINGS } from '../../../src/import/tables/csv-text.ts';
import { type ImportDraft, openTable, type TableChoices } from '../../../src/import/tables/draft.ts';
import { BASE_PATH } from '../base-path.ts';
import { FIELD_LABELS, TEMPLATE_FIELDS } from '../import/labels.ts';
import { rememberedMatches, rememberedTargets } from '../import/remembered-targets.ts';
import { importTexts as words } from '../lazy-texts.ts';
import { csvOf } from '../parts/csv.ts';
import { saveFile } from '../parts/list-controls.tsx';
import { randomId } from '../parts/record-form.tsx';
import { useConsoleConfig } from '../session/console-config.ts';

interface ImportSourceProps {
  companyId: string;
  draft: ImportDraft | undefined;
  /** Starts with another table; undefined: with none. */
  start: (draft: ImportDraft | undefined) => void;
}

/** The source of the table: a file, or pasted text. */
export function ImportSource({ companyId, draft, start }: ImportSourceProps) {
  const resetFile = useRef<() => void>(null);
  const [problem, setProblem] = useState<string>();
  const isDemo = useConsoleConfig().data?.signIn === 'demo';
  const take = async (source: Uint8Array | string, choices: TableChoices = {}) => {
    const remembered = { columns: rememberedTargets(), values: rememberedMatches(companyId) };
    const next = await openTable(source, { ...remembered, ...choices }).catch(() => null);
    if (next === null) return setProblem(words.workbook);
    setProblem(typeof source === 'string' || (next && next.lines.length > 0) ? undefined : words.noLines);
    start(next && { ...next, id: randomId() });
  };
  const takeFile = async (file: File | null) => {
    // Allows the same file to be chosen again after its correction.
    resetFile.current?.();
    if (file === null) return;
    const bytes = await file.arrayBuffer().catch(() => undefined);
    if (bytes === undefined) setProblem(words.unreadable);
    else await take(new Uint8Array(bytes));
  };
  /** Takes the workbook of the demo, as untidy as people keep them. */
  const tryMessy = async () => {
    const file = await fetch(`${BASE_PATH}/joiners.xlsx`).catch(() => undefined);
    if (file?.ok) await take(new Uint8Array(await file.arrayBuffer()));
    else setProblem(words.unreadable);
  };
  return (
    <Stack>
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <FileInput
          label={words.file}
          placeholder={words.choose}
          accept=".csv,.tsv,.txt,.xlsx,.xls,text/csv"
          onChange={(file) => void takeFile(file)}
          resetRef={resetFile}
          clearable={false}
          miw="min(16rem, 100%)"
        />
        <Textarea
          label={words.paste}
          rows={3}
          onChange={(event) => void take(event.currentTarget.value)}
          miw="min(16rem, 100%)"
        />
      </Group>
      <Group>
        <Button variant="default" onClick={() => saveFile(`${words.templateName}.csv`, template())}>
          {words.template}
        </Button>
        {isDemo && (
          <Button variant="default" onClick={() => void tryMessy()}>
            {words.messy}
          </Button>
        )}
        <Text size="sm" c="dimmed" flex="1 1 20rem">
          {words.hint}
        </Text>
      </Group>
      {problem !== undefined && <Alert color="red">{problem}</Alert>}
      {draft?.bytes && draft.sheets.length > 1 && (
        <NativeSelect
          label={words.sheet}
          data={[...draft.sheets]}
          value={draft.sheet}
          onChange={({ currentTarget: { value } }) => void (draft.bytes && take(draft.bytes, { sheet: value }))}
          maw="20rem"
        />
      )}
      {draft?.bytes && draft.assumed && (
        <Alert role="note">
          <Text size="sm" mb="xs">
            {words.assumed}
          </Text>
          <NativeSelect
            label={words.encoding}
            data={LEGACY_ENCODINGS.map((value) => ({ value, label: words.encodings[value] }))}
            value={draft.assumed}
            onChange={(event) => {
              const encoding = LEGACY_ENCODINGS.find((name) => name === event.currentTarget.value);
              if (draft.bytes && encoding) void take(draft.bytes, { encoding });
            }}
            maw="20rem"
          />
        </Alert>
      )}
    </Stack>
  );
}

function template(): string {
  return csvOf([TEMPLATE_FIELDS.map((field) => FIELD_LABELS[field])]);
}
