import { Alert, Button, FileInput, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { type CsvText, readCsv } from '../import/csv-reader.ts';
import { decode, LEGACY_ENCODINGS, type LegacyEncoding } from '../import/decode.ts';
import { draftOf, type ImportDraft } from '../import/draft.ts';
import { FIELD_LABELS, TEMPLATE_FIELDS } from '../import/labels.ts';
import { rememberedMatches, rememberedTargets } from '../import/remembered-targets.ts';
import { readWorkbook } from '../import/workbook.ts';
import { csvOf } from '../parts/csv.ts';
import { saveFile } from '../parts/save-file.ts';
import { importTexts as words } from '../texts.ts';

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
  const read = (table: CsvText, more: Parameters<typeof draftOf>[2] = {}) =>
    draftOf(table, rememberedTargets(), { ...more, matches: rememberedMatches(companyId) });
  const readBytes = (bytes: Uint8Array, legacy?: LegacyEncoding) => {
    const { text, assumed } = decode(bytes, legacy);
    take(read(readCsv(text), { bytes, assumed }));
  };
  const takeFile = async (file: File | null) => {
    // Allows the same file to be chosen again after its correction.
    resetFile.current?.();
    if (file === null) return;
    const bytes = await file.arrayBuffer().catch(() => undefined);
    if (bytes === undefined) setProblem(words.unreadable);
    else if (isWorkbook(new Uint8Array(bytes))) takeWorkbook(new Uint8Array(bytes));
    else readBytes(new Uint8Array(bytes));
  };
  const takeWorkbook = (bytes: Uint8Array, name?: string) => {
    try {
      const sheet = readWorkbook(bytes, name);
      take(read(sheet, sheet.sheets.length > 1 ? { sheet: { ...sheet, bytes } } : {}));
    } catch {
      setProblem(words.workbook);
    }
  };
  const take = (next: ImportDraft | undefined) => {
    setProblem(next && next.lines.length > 0 ? undefined : words.noLines);
    start(next);
  };
  const takeText = (text: string) => {
    setProblem(undefined);
    start(read(readCsv(text)));
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
          miw="16rem"
        />
        <Textarea label={words.paste} rows={3} onChange={(event) => takeText(event.currentTarget.value)} miw="16rem" />
      </Group>
      <Group>
        <Button variant="default" onClick={() => saveFile(`${words.templateName}.csv`, template())}>
          {words.template}
        </Button>
        <Text size="sm" c="dimmed" flex="1 1 20rem">
          {words.hint}
        </Text>
      </Group>
      {problem !== undefined && <Alert color="red">{problem}</Alert>}
      {draft?.sheet && (
        <NativeSelect
          label={words.sheet}
          data={[...draft.sheet.sheets]}
          value={draft.sheet.name}
          onChange={(event) => draft.sheet && takeWorkbook(draft.sheet.bytes, event.currentTarget.value)}
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
              const chosen = LEGACY_ENCODINGS.find((name) => name === event.currentTarget.value);
              if (draft.bytes) readBytes(draft.bytes, chosen);
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

/** Returns whether bytes have the signature of an Excel file: `.xlsx` (a ZIP file) or `.xls`. */
function isWorkbook([first, second]: Uint8Array): boolean {
  return (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf);
}
