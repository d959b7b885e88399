import { Alert, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ImportDraft, isCorrected } from '../../../src/import/tables/draft.ts';
import type { ImportReport, Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { importTexts as words } from '../lazy-texts.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { TextLink } from '../parts/links.tsx';
import { ask } from '../parts/question.tsx';
import { useImportDrafts } from '../session/import-drafts.tsx';
import { peopleTexts, texts } from '../texts.ts';
import { ImportChoices } from './import-choices.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportSource } from './import-source.tsx';
import { ImportValues } from './import-values.tsx';

const CRUMBS = [{ href: '/people', label: texts.pages.people }];

/** Imports people from a table, whose lines the service checks and the user corrects first. */
export function ImportPeoplePage({ profile }: { profile: Person }) {
  return (
    <CompanyPage profile={profile} title={peopleTexts.import} lead={words.lead} crumbs={CRUMBS}>
      {({ id }) => <Import key={id} companyId={id} />}
    </CompanyPage>
  );
}

function Import({ companyId }: { companyId: string }) {
  const { drafts, keepDraft } = useImportDrafts();
  const [done, setDone] = useState<ImportReport>();
  const draft = drafts[companyId];
  const change = (next: ImportDraft) => keepDraft(companyId, { ...next, revision: next.revision + 1 });
  const start = async (next: ImportDraft | undefined) => {
    if (draft && isCorrected(draft) && !(await ask(words.replace))) return;
    setDone(undefined);
    keepDraft(companyId, next);
  };
  const finish = (report: ImportReport) => {
    setDone(report);
    keepDraft(companyId, undefined);
  };
  return (
    <Stack>
      <ImportSource companyId={companyId} draft={draft} start={start} />
      {done && (
        <Alert color="green" role="status">
          <Text>
            {words.finished(formatCount(done.added), formatCount(done.changed), formatCount(done.unchanged))}{' '}
            {done.leavers !== undefined && words.left(formatCount(done.leavers))}{' '}
            {done.leftOutTotal !== undefined && words.valuesLeftOut(formatCount(done.leftOutTotal))}
          </Text>
          <Group gap="lg">
            <TextLink href={`/people?companyId=${companyId}`} inherit={false}>
              {words.view}
            </TextLink>
            {done.added > 0 && (
              <TextLink href={`/people?companyId=${companyId}&signedIn=false`} inherit={false}>
                {words.noneSignedIn(formatCount(done.added))}
              </TextLink>
            )}
          </Group>
        </Alert>
      )}
      {draft && (
        <>
          <ImportChoices draft={draft} change={change} />
          <ImportValues companyId={companyId} draft={draft} change={change} />
          <ImportPreview key={draft.id} companyId={companyId} draft={draft} change={change} finish={finish} />
        </>
      )}
    </Stack>
  );
}
