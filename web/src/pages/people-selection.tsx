import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ListedPerson } from '../api/types.ts';
import { formatCount } from '../format.ts';
import type { WholeList } from '../parts/company-list.tsx';
import type { Ticks } from '../parts/data-table.tsx';
import { ActButton } from '../parts/notices.tsx';
import { t } from '../translate.ts';
import classes from './people.module.css';
import { EditPeople } from './people-edit.tsx';

/** Maximum number of people to select at once: they are read page by page. */
const MAX_SELECTED = 10_000;

export interface Selection {
  /** The people as they were when selected. */
  people: readonly ListedPerson[];
  ticks: Ticks<ListedPerson>;
  select: (people: readonly ListedPerson[]) => void;
}

/** Returns the selection in a company's list; it survives changes of page and search. */
export function useSelections(): (companyId: string) => Selection {
  const [selected, setSelected] = useState<{ companyId: string; people: readonly ListedPerson[] }>();
  return (companyId) => {
    const people = selected?.companyId === companyId ? selected.people : [];
    const ids = new Set(people.map(({ id }) => id));
    const select = (chosen: readonly ListedPerson[]) => setSelected({ companyId, people: chosen });
    const ticks: Ticks<ListedPerson> = {
      isTicked: ({ id }) => ids.has(id),
      tick: (rows, isTicked) => {
        const others = people.filter(({ id }) => !rows.some((row) => row.id === id));
        select(isTicked ? [...others, ...rows] : others);
      },
      label: ({ firstName, lastName }) => t('Select {name}', { name: `${firstName} ${lastName}` }),
      labelOfAll: t('Select all on this page'),
    };
    return { people, ticks, select };
  };
}

interface SelectedProps {
  selection: Selection;
  whole: WholeList<ListedPerson>;
  companyId: string;
  /** Whether the user may list the company's departments and bands. */
  isListed: boolean;
}

/** Actions on the selected people; nothing while none are selected. */
export function Selected({ selection: { people, select }, whole, companyId, isListed }: SelectedProps) {
  if (people.length === 0) return null;
  const offersAll = people.length < whole.count && whole.count <= MAX_SELECTED;
  return (
    <Group className={classes.selected ?? ''} gap="sm" data-screen-only>
      <Text fw={600} role="status" data-testid="selected">
        {t('{count} selected', { count: formatCount(people.length) })}
      </Text>
      <EditPeople {...{ people, companyId, isListed }} done={select} />
      {offersAll && (
        <ActButton run={whole.load} done={select}>
          {t('Select all {count} of this list', { count: formatCount(whole.count) })}
        </ActButton>
      )}
      <Button variant="subtle" size="sm" onClick={() => select([])}>
        {t('Clear selection')}
      </Button>
    </Group>
  );
}
