import { Alert, Button, FileInput, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { readCsv } from '../import/csv-reader.ts';
import { decode, LEGACY_ENCODINGS, type LegacyEncoding } from '../import/decode.ts';
import { draftOf, type ImportDraft } from '../import/draft.ts';
import { FIELD_LABELS, TEMPLATE_FIELDS } from '../import/labels.ts';
import { rememberedTargets } from '../import/remembered-targets.ts';
import { readWorkbook } from '../import/workbook.ts';
import { isolated } from '../isolated.ts';
import { csvOf } from '../parts/csv.ts';
import { saveFile } from '../parts/save-file.ts';
import { importTexts as words } from '../texts.ts';

interface ImportSourceProps {
  draft: ImportDraft | undefined;
  /** Starts with another table; undefined: with none. */
  start: (draft: ImportDraft | undefined) => void;
}

/** The source of the table: a file, or pasted text. */
export function ImportSource({ draft, start }: ImportSourceProps) {
  const resetFile = useRef<() => void>(null);
  const [problem, setProblem] = useState<string>();
  const readBytes = (bytes: Uint8Array, legacy?: LegacyEncoding) => {
    const { text, assumed } = decode(bytes, legacy);
    take(draftOf(readCsv(text), rememberedTargets(), { bytes, assumed }));
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
  const takeWorkbook = (bytes: Uint8Array) => {
    try {
      const sheet = readWorkbook(bytes);
      take(draftOf(sheet, rememberedTargets(), sheet.hasOthers ? { sheet: sheet.name } : {}));
    } catch {
      setProblem(words.workbook);
    }
  };
  const take = (read: ImportDraft | undefined) => {
    setProblem(read && read.lines.length > 0 ? undefined : words.noLines);
    start(read);
  };
  const takeText = (text: string) => {
    const read = draftOf(readCsv(text), rememberedTargets());
    setProblem(undefined);
    start(read);
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
      {draft?.sheet !== undefined && <Alert role="note">{words.firstSheet(isolated(draft.sheet))}</Alert>}
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
