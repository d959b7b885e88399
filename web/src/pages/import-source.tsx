import { Alert, Button, FileInput, Group, NativeSelect, Stack, Text, Textarea, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { LEGACY_ENCODINGS } from '../../../src/import/tables/csv-text.ts';
import { type ImportDraft, openTable, type TableChoices } from '../../../src/import/tables/draft.ts';
import { USUAL_YEARS } from '../../../src/import/tables/values.ts';
import type { OwnField } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { FIELD_LABELS, TEMPLATE_FIELDS } from '../import/labels.ts';
import { rememberedMatches, targetsFor } from '../import/remembered-targets.ts';
import { readAddresses } from '../parts/addresses.ts';
import { csvOf } from '../parts/csv.ts';
import { saveFile } from '../parts/list-controls.tsx';
import { randomId } from '../parts/record-form.tsx';
import { useConsoleConfig } from '../session/console-config.ts';
import { t } from '../translate.ts';

const ENCODINGS = {
  'windows-1252': t('Western European (Windows-1252)'),
  'windows-1250': t('Central European (Windows-1250)'),
  'windows-1251': t('Cyrillic (Windows-1251)'),
  'windows-1254': t('Turkish (Windows-1254)'),
  macintosh: t('Macintosh (Mac Roman)'),
  shift_jis: t('Japanese (Shift JIS)'),
  gb18030: t('Chinese (GB18030)'),
  big5: t('Traditional Chinese (Big5)'),
  'euc-kr': t('Korean (EUC-KR)'),
  'windows-1253': t('Greek (Windows-1253)'),
  'windows-1255': t('Hebrew (Windows-1255)'),
  'windows-1256': t('Arabic (Windows-1256)'),
  'windows-1257': t('Baltic (Windows-1257)'),
  'windows-1258': t('Vietnamese (Windows-1258)'),
  'windows-874': t('Thai (Windows-874)'),
};

interface ImportSourceProps {
  companyId: string;
  /** Fields of one's own that the user may write. */
  own: readonly OwnField[];
  draft: ImportDraft | undefined;
  /** Starts with another table; undefined: with none. */
  start: (draft: ImportDraft | undefined) => void;
}

/** The source of the table: a file, or pasted text. */
export function ImportSource({ companyId, own, draft, start }: ImportSourceProps) {
  const resetFile = useRef<() => void>(null);
  const [problem, setProblem] = useState<string>();
  const isDemo = useConsoleConfig().data?.signIn === 'demo';
  const take = async (source: Uint8Array | string, choices: TableChoices = {}, names?: ImportDraft['names']) => {
    const remembered = { columns: targetsFor(own), values: rememberedMatches(companyId), years: USUAL_YEARS };
    const next = await openTable(source, { ...remembered, ...choices }).catch(() => null);
    if (next === null)
      return setProblem(
        t(
          'This workbook cannot be read: it has a password, or is no .xlsx file. In Excel choose File, Save As and “CSV UTF-8 (comma delimited)”; in other programs, export as CSV. Then choose that file here. Or copy the cells and paste them here.',
        ),
      );
    setProblem(
      typeof source === 'string' || (next && next.lines.length > 0)
        ? undefined
        : t('There are no lines in this file, or none below the names of the columns.'),
    );
    start(next && { ...next, id: randomId(), names });
  };
  /** Takes addresses, one a line, with the names that mail programs write in front of them. */
  const takeText = (text: string) => {
    const names = readAddresses(text);
    return names ? take([...names.keys()].join('\n'), {}, names) : take(text);
  };
  const takeFile = async (file: File | null) => {
    // Allows the same file to be chosen again after its correction.
    resetFile.current?.();
    if (file === null) return;
    const bytes = await file.arrayBuffer().catch(() => undefined);
    if (bytes === undefined) setProblem(t('The file cannot be read.'));
    else await take(new Uint8Array(bytes));
  };
  /** Takes the workbook of the demo, as untidy as people keep them. */
  const tryMessy = async () => {
    const file = await fetch(`${BASE_PATH}/joiners.xlsx`).catch(() => undefined);
    if (file?.ok) await take(new Uint8Array(await file.arrayBuffer()));
    else setProblem(t('The file cannot be read.'));
  };
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('File or text')}
      </Title>
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <FileInput
          label={t('An Excel workbook or a CSV file')}
          placeholder={t('Choose a file')}
          accept=".csv,.tsv,.txt,.xlsx,.xls,text/csv"
          onChange={(file) => void takeFile(file)}
          resetRef={resetFile}
          clearable={false}
          miw="min(16rem, 100%)"
        />
        <Textarea
          label={t('Or paste from a spreadsheet, with the names of the columns in the first line, or e-mail addresses')}
          rows={3}
          onChange={(event) => void takeText(event.currentTarget.value)}
          miw="min(16rem, 100%)"
        />
      </Group>
      <Group>
        <Button variant="default" onClick={() => saveFile(`${t('people-template')}.csv`, template())}>
          {t('Download a template')}
        </Button>
        {isDemo && (
          <Button variant="default" onClick={() => void tryMessy()}>
            {t('Try it with an untidy workbook')}
          </Button>
        )}
        <Text size="sm" c="dimmed" flex="1 1 20rem">
          {t(
            'People are known by their e-mail address. Departments and bands go by name or code, several roles are separated by commas. The file that the People page gives can be edited and imported.',
          )}
        </Text>
      </Group>
      {problem !== undefined && <Alert color="red">{problem}</Alert>}
      {draft?.bytes && draft.sheets.length > 1 && (
        <NativeSelect
          label={t('Sheet of the workbook')}
          data={[...draft.sheets]}
          value={draft.sheet}
          onChange={({ currentTarget: { value } }) => void (draft.bytes && take(draft.bytes, { sheet: value }))}
          maw="20rem"
        />
      )}
      {draft?.bytes && draft.assumed && (
        <Alert role="note">
          <Text size="sm" mb="xs">
            {t(
              'This file is not Unicode, so its encoding had to be assumed. Check that letters with accents are right.',
            )}
          </Text>
          <NativeSelect
            label={t('Encoding of the file')}
            data={LEGACY_ENCODINGS.map((value) => ({ value, label: ENCODINGS[value] }))}
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
