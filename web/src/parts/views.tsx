import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { isRecord, keep, kept } from '../storage.ts';
import { t } from '../translate.ts';
import { choicesOf } from './choices.ts';
import { FormButton } from './record-form.tsx';

const KEY = 'orgdesk.views';
/** Parameters of the address that belong to no view. */
const UNSAVED = ['view', 'page', 'companyId', 'person', 'open'];

/** Returns the saved views of a table: their parameters by name. */
function viewsOf(table: string): Record<string, string> {
  const known = kept('localStorage', KEY)?.[table];
  const entries = isRecord(known) ? Object.entries(known) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/**
 * Views of a list: filters and order under a name, which the browser keeps. The address has the name and all parameters,
 * so that a link shows the same to everybody.
 */
export function Views({ table }: { table: string }) {
  const [parameters, setParameters] = useSearchParams();
  const [views, setViews] = useState(() => viewsOf(table));
  const current = parameters.get('view') ?? '';
  const names = [...new Set([...Object.keys(views), ...(current === '' ? [] : [current])])].sort();
  const show = (name: string, query: string) => {
    const company = [...parameters].filter(([parameter]) => parameter === 'companyId');
    const view = name === '' ? [] : [['view', name]];
    setParameters(new URLSearchParams([...company, ...new URLSearchParams(query), ...view]));
  };
  const store = (changed: Record<string, string>) => {
    keep('localStorage', KEY, { ...kept('localStorage', KEY), [table]: changed });
    setViews(changed);
  };
  const save = (name: string) => {
    const own = [...parameters].filter(([parameter]) => !UNSAVED.includes(parameter));
    const query = new URLSearchParams(own).toString();
    store({ ...views, [name]: query });
    show(name, query);
  };
  const remove = () => {
    const { [current]: removed = '', ...others } = views;
    store(others);
    show('', removed);
  };
  return (
    <>
      {names.length > 0 && (
        <NativeSelect
          w="10rem"
          label={t('View')}
          data={choicesOf(names, t('None'))}
          value={current}
          onChange={({ currentTarget: { value } }) => show(value, views[value] ?? '')}
        />
      )}
      <FormButton
        title={t('Save view')}
        fields={[{ name: 'name', label: t('Name of the view'), isRequired: true }]}
        first={{}}
        save={async ({ name }) => save(String(name))}
      />
      {views[current] !== undefined && (
        <Button variant="subtle" onClick={remove}>
          {t('Delete view')}
        </Button>
      )}
    </>
  );
}
