import { Button, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { flushSync } from 'react-dom';
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
  return (
    <Fieldset legend={label} style={{ gridColumn: '1 / -1' }}>
      <Stack gap="sm">
        {elsewhere !== undefined && <Text size="sm">{elsewhere}</Text>}
        {all.map((row, at) => {
          const title = `${rows.label} ${formatCount(at + 1)}`;
          return (
            <Fieldset key={at} legend={title} data-row>
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
                    type={(text) => change(rows.set(all, at, sub.name, text))}
                    visit={() => undefined}
                  />
                ))}
              </SimpleGrid>
              <Button
                variant="default"
                size="xs"
                mt="sm"
                aria-label={`${t('Remove')}: ${title}`}
                onClick={removing(() => change(all.filter((_, index) => index !== at)))}
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

/**
 * Returns the handler of a button in an element with `data-row`, which removes that row: the focus goes to the first control of the next
 * row, else of the one before, else to the button below the rows.
 */
export function removing(remove: () => void) {
  return ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const list = currentTarget.closest('[data-row]')?.parentElement;
    const at = [...(list?.children ?? [])].findIndex((one) => one.contains(currentTarget));
    flushSync(remove);
    const next = [list?.children[at], list?.children[at - 1]].find((one) => one?.matches('[data-row]'));
    (next ?? list)?.querySelector<HTMLElement>(next ? 'input, select' : ':scope > button')?.focus();
  };
}
