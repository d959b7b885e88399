import { Kbd, Switch, Table } from '@mantine/core';
import { useState } from 'react';
import { areLettersOn, switchLetters } from '../parts/keys.ts';
import { t } from '../translate.ts';

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['Ctrl K', '⌘ K'], t('Go to a page, a person or a list')],
  [['/'], t('Search in the list of the page')],
  [['?'], t('Show the keys')],
  [['Esc'], t('Close a dialog, the menu, or the person next to the list')],
  [['↑', '↓', '←', '→'], t('Move in trees, charts and choices')],
  [['j', 'k'], t('In a list: the next or the previous row')],
  [['x'], t('In a list: select the row')],
  [['e'], t('In a list: edit the row')],
];

/** The keys of the console, and the switch of those that are letters. */
export function KeysHelp() {
  const [isOn, setOn] = useState(areLettersOn);
  return (
    <>
      <Table>
        <Table.Tbody>
          {KEYS.map(([keys, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Th scope="row">
                {keys.map((key) => (
                  <Kbd key={key} me={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label={t('Letters are keys in a list')}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          switchLetters(checked);
          setOn(checked);
        }}
      />
    </>
  );
}
