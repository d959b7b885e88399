import { Text } from '@mantine/core';
import type { FullPerson } from '../api/types.ts';
import { formatDate } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Facts } from '../parts/facts.tsx';
import type { FormField } from '../parts/form-fields.ts';
import { FormButton } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { pageTexts, profileTexts } from '../texts.ts';

const words = profileTexts.away;

type Someone = { id: string; firstName: string; lastName: string };

interface SubstitutionProps {
  substitution: FullPerson['substitution'];
  /** The company whose people can be chosen; undefined: the user may not list them. */
  companyId: string | undefined;
  /** Who can be chosen otherwise. */
  known: readonly Someone[];
  isOwn: boolean;
  mayChange: boolean;
  /** Reads the person anew where {@link RecordForm} does not. */
  changed?: () => Promise<unknown>;
}

const nameOf = ({ firstName, lastName }: Someone) => `${firstName} ${lastName}`;

/** Who decides for a person while they are away, and the form that sets it. */
export function Substitution({ substitution, companyId, known, isOwn, mayChange, changed }: SubstitutionProps) {
  const { client } = useSession();
  const { userId, substitute, from, until } = substitution;
  const choices = [...known, ...(substitute ? [substitute] : [])].filter(
    ({ id }, index, all) => id !== userId && all.findIndex((one) => one.id === id) === index,
  );
  const fields: FormField[] = [
    {
      ...{ name: 'substituteId', label: words.substitute, isNullable: true, isWide: true },
      ...(companyId === undefined
        ? {
            kind: 'choice',
            hint: words.askAdmin,
            choices: [
              { value: '', label: pageTexts.form.none },
              ...choices.map((one) => ({ value: one.id, label: nameOf(one) })),
            ],
          }
        : { kind: 'person', companyId }),
    },
    { name: 'from', label: words.from, kind: 'date' },
    { name: 'until', label: words.until, kind: 'date' },
  ];
  const first = { substituteId: substitute?.id ?? '', from: from ?? '', until: until ?? '' };
  return (
    <Facts title={words.title}>
      <Text size="sm" mb={mayChange ? 'sm' : 0}>
        {substitute && from !== null && until !== null
          ? words.decides(formatDate(from), formatDate(until), isolated(nameOf(substitute)), isOwn)
          : words.nobody(isOwn)}
      </Text>
      {mayChange && (
        <FormButton
          title={words.set}
          size="xs"
          fields={fields}
          first={first}
          submit={pageTexts.form.save}
          save={async (changes) => {
            const given = { substituteId: first.substituteId || null, from: from ?? null, until: until ?? null };
            const body = { ...given, ...changes } as typeof given;
            const days = body.substituteId === null ? {} : { from: body.from, until: body.until };
            await client.post('/api/users/set-substitute', { userId, substituteId: body.substituteId, ...days });
            await changed?.();
          }}
          saved={() => words.saved}
        />
      )}
    </Facts>
  );
}
