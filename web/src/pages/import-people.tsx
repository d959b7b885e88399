import { Alert, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ImportDraft, isCorrected } from '../../../src/import/tables/draft.ts';
import type { ImportReport, Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { TextLink } from '../parts/links.tsx';
import { useOwnFields } from '../parts/own-fields.tsx';
import { ask } from '../parts/question.tsx';
import { useImportDrafts } from '../session/import-drafts.tsx';
import { t } from '../translate.ts';
import { ImportChoices } from './import-choices.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportSource } from './import-source.tsx';
import { ImportValues } from './import-values.tsx';

const CRUMBS = [{ href: '/people', label: t('People') }];

/** Imports people from a table, whose lines the service checks and the user corrects first. */
export function ImportPeoplePage({ profile }: { profile: Person }) {
  return (
    <CompanyPage
      profile={profile}
      title={t('Import people')}
      lead={(company) =>
        t('Add people to {company}, or update them, from a spreadsheet. You can check everything before importing.', {
          company,
        })
      }
      crumbs={CRUMBS}
    >
      {({ id }) => <Import key={id} companyId={id} />}
    </CompanyPage>
  );
}

function Import({ companyId }: { companyId: string }) {
  const { drafts, keepDraft } = useImportDrafts();
  const { written: own } = useOwnFields('user', companyId);
  const [done, setDone] = useState<ImportReport>();
  const draft = drafts[companyId];
  const change = (next: ImportDraft) => keepDraft(companyId, { ...next, revision: next.revision + 1 });
  const start = async (next: ImportDraft | undefined) => {
    const text = t('Your corrections of the lines are lost with another file. Go on?');
    const isKept = draft && isCorrected(draft);
    if (isKept && !(await ask({ text, act: t('Discard'), keep: t('Keep editing') }))) return;
    setDone(undefined);
    keepDraft(companyId, next);
  };
  const finish = (report: ImportReport) => {
    setDone(report);
    keepDraft(companyId, undefined);
  };
  return (
    <Stack>
      <ImportSource companyId={companyId} own={own} draft={draft} start={start} />
      {done && (
        <Alert color="green" role="status">
          <Text>
            {t('{added, plural, one {# person} other {# people}} added, {changed} updated, {same} unchanged.', {
              added: done.added,
              changed: formatCount(done.changed),
              same: formatCount(done.unchanged),
            })}{' '}
            {done.leavers !== undefined && t('{count} deactivated.', { count: formatCount(done.leavers) })}{' '}
            {done.leftOutTotal !== undefined &&
              t('Values that cannot be read and are left out: {count}. Stored values stay.', {
                count: formatCount(done.leftOutTotal),
              })}
          </Text>
          <Group gap="lg">
            <TextLink href={`/people?companyId=${companyId}`} inherit={false}>
              {t('View people')}
            </TextLink>
            {done.added > 0 && (
              <TextLink href={`/people?companyId=${companyId}&signedIn=false`} inherit={false}>
                {t('{added} added, none has signed in', { added: formatCount(done.added) })}
              </TextLink>
            )}
          </Group>
        </Alert>
      )}
      {draft && (
        <>
          <ImportChoices own={own} draft={draft} change={change} />
          <ImportValues companyId={companyId} draft={draft} change={change} />
          <ImportPreview key={draft.id} companyId={companyId} draft={draft} change={change} finish={finish} />
        </>
      )}
    </Stack>
  );
}
