import { Button, Text, TextInput } from '@mantine/core';
import { formatCount } from '../format.ts';
import type { Column } from '../parts/data-table.tsx';
import type { FormField } from '../parts/form-fields.ts';
import { importTexts as words } from '../texts-import.ts';
import type { Line, Outlook } from './import-lines.ts';

/** The columns of the lines: what happens to each, and its cells, of which those with a fault can be corrected. */
export function lineColumns(
  fields: readonly FormField[],
  found: ReadonlyMap<string, Outlook | undefined>,
  refused: ReadonlyMap<string, string>,
  mend: (id: string, name: string, text: string) => void,
  leaveOut: (id: string) => void,
): Column<Line>[] {
  return [
    {
      name: words.state,
      show: ({ id, line }) => {
        const outlook = found.get(id);
        const isWrong = refused.has(id) || Object.keys(outlook?.problems ?? {}).length > 0;
        return (
          <>
            <Text size="sm" c={isWrong ? 'red' : ''}>
              {refused.get(id) ?? stateOf(outlook, fields)}
            </Text>
            {isWrong && (
              <Button size="compact-xs" variant="subtle" onClick={() => leaveOut(id)}>
                {words.leaveOut(formatCount(line))}
              </Button>
            )}
          </>
        );
      },
    },
    ...fields.map(({ name, label }) => ({
      name: label,
      show: ({ id, line, cells }: Line) => {
        const problem = found.get(id)?.problems[name];
        if (problem === undefined) return <bdi>{cells[name]}</bdi>;
        return (
          <TextInput
            size="xs"
            aria-label={words.cell(label, formatCount(line))}
            defaultValue={cells[name] ?? ''}
            error={problem}
            onBlur={(event) => mend(id, name, event.currentTarget.value.trim())}
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        );
      },
    })),
  ];
}

function stateOf(outlook: Outlook | undefined, fields: readonly FormField[]): string {
  if (!outlook) return words.wrong;
  if (Object.keys(outlook.problems).length > 0) return outlook.problems[''] ?? words.wrong;
  if (!outlook.person) return words.add;
  const names = fields.filter(({ name }) => name in outlook.body).map(({ label }) => label);
  const change = names.length === 0 ? words.same : words.change(names.join(', '));
  return outlook.leavesRole ? `${change}. ${words.leavesRole}` : change;
}
