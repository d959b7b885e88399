import { useState } from 'react';
import { useLocation } from 'wouter';
import { RequestError } from '../api/client.ts';
import type { Body, CompanyRole, FullPerson, Person, ShownPerson } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { nested, typedOf } from '../parts/form-fields.ts';
import { ActButton, notify } from '../parts/notices.tsx';
import { ownDefaults, ownForm, useOwnFields } from '../parts/own-fields.tsx';
import { FormButton } from '../parts/record-form.tsx';
import { Note } from '../parts/text.tsx';
import { useBands, useChanged, useDepartments, useLegalEntities } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { corporateCompanies, useProfile } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { changedBy, undoUnlessChanged } from './changed-by.ts';
import { BECOMES_ADMIN, formedPerson, type PersonChoices, personFields, valuesBefore } from './person-fields.ts';

interface AddPersonProps {
  companyId: string;
  /** Whether the user may list the company's departments and bands. */
  isListed: boolean;
}

/** Returns what the fields of a person are chosen from. */
function useChoices(companyId: string, isListed: boolean): PersonChoices {
  const listed = isListed ? companyId : undefined;
  const [departments, bands, legalEntities] = [useDepartments(listed), useBands(listed), useLegalEntities(listed)];
  return { departments, bands, legalEntities, companyId };
}

/** Adds a person to a company, and opens their page. */
export function AddPerson({ companyId, isListed }: AddPersonProps) {
  const { client } = useSession();
  const caller = useProfile().data?.profile;
  const choices = useChoices(companyId, isListed);
  const own = useOwnFields('user', companyId);
  const [, navigate] = useLocation();
  const [taken, setTaken] = useState<unknown>();
  if (!caller) return null;
  return (
    <FormButton
      title={t('Add a person')}
      variant="filled"
      fields={[...personFields(undefined, caller, choices), ...ownForm(own)]}
      first={{ role: 'EMPLOYEE', clientType: 'CORPORATE', workerType: 'EMPLOYEE', ...ownDefaults(own) }}
      save={({ role, ...typed }, key) => {
        const roles = [(role ?? 'EMPLOYEE') as CompanyRole];
        const body = { companyId, ...nested(typed), roles } as Body<'/api/users/create'>;
        return client.post('/api/users/create', body, { key }).catch((error: unknown) => {
          if (error instanceof RequestError && error.code === 'ALREADY_EXISTS') setTaken(typed.email);
          throw error;
        });
      }}
      saved={({ data }) => t('{name} added.', { name: isolated(`${data.firstName} ${data.lastName}`) })}
      done={({ data }) => navigate(`/people/${data.id}`)}
      confirm={({ role }) => (role === 'CORPORATE_ADMIN' ? BECOMES_ADMIN : undefined)}
    >
      {({ email = '' }) => email !== '' && email.trim() === taken && <AskForTaken {...{ companyId, email }} />}
    </FormButton>
  );
}

/** Offers to ask for a person whose address is taken, who may be of another company. */
function AskForTaken({ companyId, email }: { companyId: string; email: string }) {
  const { client } = useSession();
  const name = isolated(email.trim());
  const ask = async () => {
    const [result] = (await client.post('/api/users/request-move', { companyId, emails: [email.trim()] })).data.results;
    if (result?.status === 'OPEN') notify('done', t('{name} is asked for. Their company has to agree.', { name }));
    else notify('done', t('{name} belongs to this company.', { name }));
  };
  return (
    <Note>
      {t('If this is a person of another company, that company can let them move here.')}{' '}
      <ActButton size="xs" run={ask}>
        {t('Ask for {name}', { name })}
      </ActButton>
    </Note>
  );
}

interface EditPersonProps {
  person: FullPerson;
  version: string;
  caller: Person;
  /** What keeps the person up to date. */
  directory: ShownPerson['directory'];
}

/** Changes a person, unless somebody else has changed them meanwhile. */
export function EditPerson({ person, version, caller, directory }: EditPersonProps) {
  const { client } = useSession();
  const changed = useChanged();
  const choices = useChoices(person.companyId, corporateCompanies(caller).includes(person.companyId));
  const own = useOwnFields('user', person.companyId);
  const name = isolated(`${person.firstName} ${person.lastName}`);
  const fields = [...personFields(person, caller, { ...choices, directory: directory?.name }), ...ownForm(own)];
  return (
    <FormButton
      edits
      title={name}
      variant="filled"
      fields={fields}
      first={typedOf(fields, formedPerson(person))}
      save={async (changes) => {
        const { id: userId } = person;
        const saved = await client.post('/api/users/update', { id: userId, ...nested(changes) }, { version });
        const before = valuesBefore(person, changes);
        const restore = (known: string) =>
          client.post('/api/users/update', { id: userId, ...nested(before ?? {}) }, { version: known });
        return before && (() => undoUnlessChanged(client, { userId }, saved, restore).then(changed));
      }}
      changedBy={() => changedBy(client, 'user', person.id)}
      saved={() => t('{name} saved.', { name })}
      undo={(undo) => undo}
    />
  );
}
