import { Button, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core';
import { gstin } from '../../../src/entities/values.ts';
import { formatCount } from '../format.ts';
import { t } from '../translate.ts';
import type { Typed } from './draft.ts';
import { Field } from './form-field.tsx';
import { type FormField, fieldsOfRow, rowsIn } from './form-fields.ts';

interface RowFieldsProps {
  field: FormField;
  rows: NonNullable<FormField['rows']>;
  value: string | undefined;
  /** See {@link Field}. */
  elsewhere: string | undefined;
  /** @param at the name of a field of a row, as the service names it, or of the list */
  problemOf: (at: string) => string | undefined;
  type: (text: string) => void;
}

/** The rows of a field, each with its fields: rows are added at the end, changed and removed. */
export function RowFields({ field: { name, label }, rows, value, elsewhere, problemOf, type }: RowFieldsProps) {
  const all = rowsIn(value);
  const change = (next: readonly Typed[]) => type(JSON.stringify(next));
  const set = (at: number, sub: FormField, text: string) =>
    change(
      all.map((row, index) => {
        // One row alone is the default.
        if (index !== at) return sub.name === 'default' && text === 'true' ? { ...row, default: 'false' } : row;
        const plain = sub.rule === gstin ? text.replace(/[\s./]/g, '') : text;
        return {
          ...row,
          ...(sub.name === 'countryCode' && 'stateId' in row ? { stateId: '' } : {}),
          [sub.name]: plain,
        };
      }),
    );
  return (
    <Fieldset legend={label} style={{ gridColumn: '1 / -1' }}>
      <Stack gap="sm">
        {elsewhere !== undefined && <Text size="sm">{elsewhere}</Text>}
        {all.map((row, at) => {
          const title = `${rows.label} ${formatCount(at + 1)}`;
          return (
            <Fieldset key={at} legend={title}>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
                {fieldsOfRow(rows, row).map((sub) => (
                  <Field
                    key={sub.name}
                    field={{ ...sub, name: `${name}[${at}].${sub.name}` }}
                    country={row.countryCode}
                    isFirst={false}
                    elsewhere={undefined}
                    value={row[sub.name] ?? ''}
                    problem={problemOf(`${name}[${at}].${sub.name}`)}
                    type={(text) => set(at, sub, text)}
                    visit={() => undefined}
                  />
                ))}
              </SimpleGrid>
              <Button
                variant="default"
                size="xs"
                mt="sm"
                aria-label={`${t('Remove')}: ${title}`}
                onClick={() => change(all.filter((_, index) => index !== at))}
              >
                {t('Remove')}
              </Button>
            </Fieldset>
          );
        })}
        {problemOf(name) !== undefined && (
          <Text size="sm" c="red">
            {problemOf(name)}
          </Text>
        )}
        <Button variant="default" size="xs" onClick={() => change([...all, {}])} disabled={all.length >= rows.most}>
          {t('Add: {label}', { label: rows.label })}
        </Button>
      </Stack>
    </Fieldset>
  );
}
