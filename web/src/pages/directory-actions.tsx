import { Group, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import type { Body, Directory, DirectoryDetail } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { choicesOf } from '../parts/choices.ts';
import { ConfirmButton, OnOffButton } from '../parts/confirm-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { type FormField, typedOf } from '../parts/form-fields.ts';
import { HistoryLink } from '../parts/links.tsx';
import { FormButton } from '../parts/record-form.tsx';
import { useAll, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

export const KINDS = {
  OKTA: 'Okta',
  ENTRA: 'Microsoft Entra ID',
  GOOGLE: 'Google Workspace',
  OTHER: t('Other', { context: 'directory' }),
};
/** Returns the fields of the form of a directory. */
export function useDirectoryFields(companyId: string): readonly FormField[] {
  const connections = useAll('/api/sign-in-connections/list', { companyId }).data ?? [];
  return [
    { name: 'name', label: t('Name'), isRequired: true },
    { name: 'kind', label: t('Kind'), choices: choicesOf(KINDS) },
    {
      ...{ name: 'connectionId', label: t('Its people sign in by'), isNullable: true },
      choices: choicesOf(
        connections.map(({ id, issuer }) => ({ id, name: issuer })),
        '–',
      ),
    },
  ];
}

export interface OneDirectoryProps {
  directory: Directory;
  /** The other directories of the company. */
  others: readonly Directory[];
}

/** What can be done with a directory. */
export function DirectoryActions({ directory, others }: OneDirectoryProps) {
  const { client } = useSession();
  const [, navigate] = useLocation();
  const { id, companyId, active } = directory;
  const name = isolated(directory.name);
  const fields = useDirectoryFields(companyId);
  const found = useGet('/api/directories/get', { id }, { staleTime: 0 });
  const into = { name: 'intoId', label: t('Directory'), isRequired: true, choices: choicesOf(others, '–') };
  return (
    <Group gap="xs" mt="md">
      <FormButton
        edits
        title={name}
        size="xs"
        fields={fields}
        first={typedOf(fields, directory)}
        save={(changes) =>
          // Its version changes with each request of the directory.
          client.post('/api/directories/update', { id, ...changes } as Body<'/api/directories/update'>)
        }
        saved={() => t('{name} saved.', { name })}
      />
      <OnOffButton
        size="xs"
        isOn={active}
        off={{
          title: t('Switch off'),
          text: t('Its keys are refused from the next request on. What it gave stays.'),
          done: t('Directory switched off.'),
        }}
        on={{ title: t('Switch on'), text: t('Its keys are accepted again.'), done: t('Directory switched on.') }}
        set={(isOn, version) => client.post('/api/directories/update', { id, active: isOn }, { version })}
        of={{ entity: 'directory', entityId: id }}
      />
      {others.length > 0 && (
        <FormButton
          title={t('Join with another directory')}
          size="xs"
          fields={[into]}
          first={{}}
          submit={t('Join')}
          save={({ intoId }) => client.post('/api/directories/join', { id, intoId: String(intoId) })}
          saved={() => t('{name} joined.', { name })}
          done={({ data }) => navigate(`/keys/${data.id}`)}
        >
          <Text size="sm">
            {t(
              'The other directory gets the keys, groups, mappings and people of {name}, which is gone then. Groups of one name become one. This cannot be undone.',
              { name },
            )}
          </Text>
        </FormButton>
      )}
      {found.data && <EndDirectory {...{ directory: found.data.data, into }} />}
      <HistoryLink entity="directory" id={id} name={name} />
    </Group>
  );
}

interface EndDirectoryProps {
  directory: DirectoryDetail;
  /** The choice of another directory. */
  into: FormField;
}

/** Ends a directory: shows what it gives, and asks what becomes of it. */
function EndDirectory({ directory, into }: EndDirectoryProps) {
  const { client } = useSession();
  const [, navigate] = useLocation();
  const { id, _count } = directory;
  const name = isolated(directory.name);
  const title = t('End the directory');
  const end = (chosen: object) =>
    client.post('/api/directories/delete', { id, ...chosen } as Body<'/api/directories/delete'>);
  const gives = _count.users + _count.groups + _count.roles > 0;
  const text = t('Its keys are refused from the next request on. This cannot be undone.');
  if (!gives)
    return (
      <ConfirmButton
        {...{ title, text, color: 'red', size: 'xs', done: t('{name} ended.', { name }) }}
        run={async () => {
          await end({});
          navigate('/keys/directories');
        }}
      />
    );
  return (
    <FormButton
      title={title}
      size="xs"
      fields={[
        {
          ...{ name: 'choice', label: t('What it gave'), isRequired: true, isWide: true },
          choices: choicesOf(
            {
              ...((into.choices?.length ?? 0) > 1 && { HAND_OVER: t('goes to another directory') }),
              KEEP: t('stays, as given by hand'),
              LET_GO: t('is taken away, with external IDs'),
            },
            '–',
          ),
        },
        { ...into, isShown: ({ choice }) => choice === 'HAND_OVER' },
      ]}
      first={{}}
      save={end}
      saved={() => t('{name} ended.', { name })}
      done={() => navigate('/keys/directories')}
    >
      <Text size="sm">{text}</Text>
      <Facts
        title={t('{name} gives', { name })}
        facts={[
          [t('People'), formatCount(_count.users)],
          [t('Groups'), formatCount(_count.groups)],
          [t('What groups give'), formatCount(_count.mappings)],
          [t('Roles'), formatCount(_count.roles)],
        ]}
      />
    </FormButton>
  );
}
