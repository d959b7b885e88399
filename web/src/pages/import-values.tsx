import { Alert, Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { COMPANY_ROLES, ROLE_NAMES } from '../../../src/entities/roles.ts';
import { plainName } from '../../../src/import/tables/columns.ts';
import {
  formatOf,
  type ImportDraft,
  rowsOf,
  type UnknownValue,
  unknownValues,
  withMatch,
} from '../../../src/import/tables/draft.ts';
import { explain } from '../api/client.ts';
import { columnLabel } from '../import/labels.ts';
import { rememberMatches } from '../import/remembered-targets.ts';
import { patiently, useBands, useDepartments } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { corporateCompanies, useProfile } from '../session/use-profile.ts';
import { t } from '../translate.ts';

interface ImportValuesProps {
  companyId: string;
  draft: ImportDraft;
  change: (draft: ImportDraft) => void;
}

interface Choice {
  value: string;
  label: string;
}

/** Not a value of the service: nothing has been chosen yet. */
const UNCHOSEN = '\u0000';
/** Characters of a cost code or band code that is made from a name. */
const CODE_LENGTH = 40;

/** The values of the file that the company does not know, each matched once for all its lines. */
export function ImportValues({ companyId, draft, change }: ImportValuesProps) {
  const { client } = useSession();
  const queries = useQueryClient();
  const { data: own } = useProfile();
  const mayRead = own !== undefined && corporateCompanies(own.profile).includes(companyId);
  const departments = useDepartments(mayRead ? companyId : undefined);
  const bands = useBands(mayRead ? companyId : undefined);
  const [failure, setFailure] = useState<Error>();
  const [isMaking, setMaking] = useState(false);
  const known = useMemo(
    () => ({
      ...(departments && { department: namesOf(departments.map(({ name, costCode }) => [name, costCode])) }),
      ...(bands && { band: namesOf(bands.map(({ name, code }) => [name, code])) }),
    }),
    [departments, bands],
  );
  const unknown = useMemo(() => unknownValues(rowsOf(draft, formatOf(draft)), draft, known), [draft, known]);
  if (unknown.length === 0) return null;
  const choices: Readonly<Partial<Record<string, readonly Choice[]>>> = {
    department: departments?.map(({ name, costCode }) => ({ value: costCode, label: `${name} (${costCode})` })),
    band: bands?.map(({ name, code }) => ({ value: code, label: `${name} (${code})` })),
    active: [
      { value: 'true', label: t('Active') },
      { value: 'false', label: t('Inactive') },
    ],
    roles: COMPANY_ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] })),
    clientType: ['CORPORATE', 'AGENCY', 'DIRECT'].map((value) => ({ value, label: value })),
  };
  const match = ({ field, text }: UnknownValue, value: string | undefined) => {
    const next = withMatch(draft, field, text, value);
    rememberMatches(companyId, next.matches);
    change(next);
  };
  const make = async (field: 'department' | 'band', names: readonly string[]) => {
    setMaking(true);
    setFailure(undefined);
    try {
      for (const name of names) {
        const code = name.slice(0, CODE_LENGTH);
        await patiently(async () => {
          if (field === 'department') await client.post('/api/departments/create', { companyId, name, costCode: code });
          else await client.post('/api/bands/create', { companyId, name, code });
        });
      }
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    }
    await queries.invalidateQueries();
    change({ ...draft });
    setMaking(false);
  };
  const missing = (field: string) =>
    unknown
      .filter((one) => one.field === field && draft.matches[one.field]?.[plainName(one.text)] === undefined)
      .map(({ text }) => text);
  const makers = [
    [
      'department',
      missing('department'),
      (count: number) => t('{count, plural, one {Make this department} other {Make these # departments}}', { count }),
    ],
    [
      'band',
      missing('band'),
      (count: number) => t('{count, plural, one {Make this band} other {Make these # bands}}', { count }),
    ],
  ] as const;
  return (
    <Fieldset
      legend={
        <Title order={2} size="h4">
          {t('Values that are not known here')}
        </Title>
      }
    >
      <Stack>
        {mayRead && (
          <Group>
            {makers.map(
              ([field, names, label]) =>
                names.length > 0 && (
                  <Button key={field} variant="default" loading={isMaking} onClick={() => void make(field, names)}>
                    {label(names.length)}
                  </Button>
                ),
            )}
          </Group>
        )}
        {failure && <Alert color="red">{explain(failure)}</Alert>}
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          {unknown.map((one) => (
            <NativeSelect
              key={`${one.field} ${one.text}`}
              label={`${columnLabel(one.field)}: ${one.text}`}
              description={t('{count, plural, one {# line} other {# lines}}', { count: one.lines })}
              data={[
                { value: UNCHOSEN, label: t('Choose what it stands for') },
                { value: '', label: t('Leave empty') },
                ...(choices[one.field] ?? []),
              ]}
              value={draft.matches[one.field]?.[plainName(one.text)] ?? UNCHOSEN}
              onChange={({ currentTarget: { value } }) => match(one, value === UNCHOSEN ? undefined : value)}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}

function namesOf(pairs: readonly (readonly [string, string])[]): ReadonlySet<string> {
  return new Set(pairs.flat().map((name) => name.toLowerCase()));
}
