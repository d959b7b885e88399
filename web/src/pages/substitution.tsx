import { Text } from '@mantine/core';
import type { FullPerson } from '../api/types.ts';
import { formatDate } from '../format.ts';
import { isolated } from '../isolated.ts';
import { choicesOf } from '../parts/choices.ts';
import { Facts } from '../parts/facts.tsx';
import type { FormField } from '../parts/form-fields.ts';
import { More, TextLink } from '../parts/links.tsx';
import { FormButton } from '../parts/record-form.tsx';
import { useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

type Someone = { id: string; firstName: string; lastName: string };

interface SubstitutionProps {
  substitution: FullPerson['substitution'];
  /** All that are planned, the first one included. */
  planned?: FullPerson['substitutions'] | undefined;
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
export function Substitution({
  substitution,
  planned = [],
  companyId,
  known,
  isOwn,
  mayChange,
  changed,
}: SubstitutionProps) {
  const { client } = useSession();
  const { userId, substitute, from, until } = substitution;
  const choices = [...known, ...(substitute ? [substitute] : [])].filter(
    ({ id }, index, all) => id !== userId && all.findIndex((one) => one.id === id) === index,
  );
  const fields: FormField[] = [
    {
      ...{ name: 'substituteId', label: t('Who decides meanwhile'), isNullable: true, isWide: true },
      // Whoever has a substitute can take them back.
      isRequired: substitute === null,
      ...(companyId === undefined
        ? {
            hint: t('For somebody else, ask a Corporate Admin.'),
            choices: choicesOf(
              choices.map((one) => ({ id: one.id, name: nameOf(one) })),
              '–',
            ),
          }
        : { kind: 'person', companyId }),
    },
    { name: 'from', label: t('From'), kind: 'date', isRequired: true },
    { name: 'until', label: t('Until, that day included'), kind: 'date', isRequired: true },
  ];
  const query = companyId && userId ? { companyId, substituteId: userId, limit: 5 } : undefined;
  const others = useGet('/api/users/list', query).data;
  const first = { substituteId: substitute?.id ?? '', from: from ?? '', until: until ?? '' };
  return (
    <Facts title={t('Away')}>
      <Text size="sm" mb={mayChange ? 'sm' : 0}>
        {substitute && from !== null && until !== null
          ? t('Away from {from} until {until}: {who} decides for {whose, select, own {you} other {them}}.', {
              from: formatDate(from),
              until: formatDate(until),
              who: isolated(nameOf(substitute)),
              whose: isOwn ? 'own' : 'other',
            })
          : t('{whose, select, own {Nobody decides for you.} other {Nobody decides for them.}}', {
              whose: isOwn ? 'own' : 'other',
            })}
      </Text>
      {planned.slice(1).map((next) => (
        <Text key={next.from} size="sm" mb="sm">
          {t('Then from {from} until {until}: {who}.', {
            from: formatDate(next.from ?? ''),
            until: formatDate(next.until ?? ''),
            who: isolated(next.substitute ? nameOf(next.substitute) : ''),
          })}
        </Text>
      ))}
      {others && others.data.length > 0 && (
        <div>
          <Text size="sm">{t('Stands in for:')}</Text>
          {others.data.map((other) => (
            <Text key={other.id} size="sm">
              <TextLink href={`/people/${other.id}`}>{nameOf(other)}</TextLink>
            </Text>
          ))}
          <More of={others} href={`/people?${new URLSearchParams(query as object as Record<string, string>)}`} />
        </div>
      )}
      {mayChange && (
        <FormButton
          title={t('Set a substitute')}
          size="xs"
          fields={fields}
          first={first}
          submit={t('Save')}
          save={async (changes) => {
            const given = { substituteId: first.substituteId || null, from: from ?? null, until: until ?? null };
            const body = { ...given, ...changes } as typeof given;
            const days = body.substituteId === null ? {} : { from: body.from, until: body.until };
            await client.post('/api/users/set-substitute', { userId, substituteId: body.substituteId, ...days });
            await changed?.();
            return body.substituteId === null;
          }}
          saved={(isGone) => (isGone ? t('Substitute removed.') : t('Substitute saved.'))}
        />
      )}
    </Facts>
  );
}
