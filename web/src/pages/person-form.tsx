import { useLocation } from 'wouter';
import type { Body, CompanyRole, FullPerson, Person, ShownPerson } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { nested } from '../parts/form-fields.ts';
import { FormButton } from '../parts/record-form.tsx';
import { useBands, useChanged, useDepartments, useLegalEntities } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { corporateCompanies, useProfile } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { changedBy, undoUnlessChanged } from './changed-by.ts';
import { personFields, typedPerson, valuesBefore } from './person-fields.ts';

interface AddPersonProps {
  companyId: string;
  /** Whether the user may list the company's departments and bands. */
  isListed: boolean;
}

/** Adds a person to a company, and opens their page. */
export function AddPerson({ companyId, isListed }: AddPersonProps) {
  const { client } = useSession();
  const caller = useProfile().data?.profile;
  const departments = useDepartments(isListed ? companyId : undefined);
  const bands = useBands(isListed ? companyId : undefined);
  const legalEntities = useLegalEntities(isListed ? companyId : undefined);
  const [, navigate] = useLocation();
  if (!caller) return null;
  return (
    <FormButton
      title={t('Add a person')}
      variant="filled"
      fields={personFields(undefined, caller, { departments, bands, legalEntities, companyId })}
      first={{ role: 'EMPLOYEE', clientType: 'CORPORATE', workerType: 'EMPLOYEE' }}
      save={({ role, ...typed }, key) => {
        const roles = [(role ?? 'EMPLOYEE') as CompanyRole];
        const body = { companyId, ...nested(typed), roles } as Body<'/api/users/create'>;
        return client.post('/api/users/create', body, { key });
      }}
      saved={({ data }) => t('{name} added.', { name: isolated(`${data.firstName} ${data.lastName}`) })}
      done={({ data }) => navigate(`/people/${data.id}`)}
    />
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
  const listed = corporateCompanies(caller).includes(person.companyId) ? person.companyId : undefined;
  const departments = useDepartments(listed);
  const bands = useBands(listed);
  const legalEntities = useLegalEntities(listed);
  const name = isolated(`${person.firstName} ${person.lastName}`);
  return (
    <FormButton
      edits
      title={name}
      variant="filled"
      fields={personFields(person, caller, {
        ...{ departments, bands, legalEntities, companyId: person.companyId, directory: directory?.name },
      })}
      first={typedPerson(person)}
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
