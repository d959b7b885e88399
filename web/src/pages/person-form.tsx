import { useLocation } from 'wouter';
import type { Body, CompanyRole, FullPerson, Person, ShownPerson } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { DialogButton } from '../parts/dialog.tsx';
import { nested } from '../parts/form-fields.ts';
import { notify } from '../parts/notices.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { useBands, useChanged, useDepartments } from '../session/use-all.ts';
import { corporateCompanies, useProfile } from '../session/use-profile.ts';
import { pageTexts, peopleTexts as words } from '../texts.ts';
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
  const [, navigate] = useLocation();
  if (!caller) return null;
  return (
    <DialogButton title={words.add} variant="filled">
      {(close) => (
        <RecordForm
          title={words.add}
          fields={personFields(undefined, caller, { departments, bands, companyId })}
          first={{ role: 'EMPLOYEE', clientType: 'CORPORATE' }}
          submit={words.add}
          save={({ role, ...typed }, key) => {
            const roles = [(role ?? 'EMPLOYEE') as CompanyRole];
            const body = { companyId, ...nested(typed), roles } as Body<'/api/users/create'>;
            return client.post('/api/users/create', body, { key });
          }}
          done={({ data }) => {
            close();
            notify('done', words.added(isolated(`${data.firstName} ${data.lastName}`)));
            navigate(`/people/${data.id}`);
          }}
          close={close}
        />
      )}
    </DialogButton>
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
  const name = isolated(`${person.firstName} ${person.lastName}`);
  return (
    <DialogButton title={`${pageTexts.form.edit}: ${name}`} label={pageTexts.form.edit} variant="filled">
      {(close) => (
        <RecordForm
          title={name}
          fields={personFields(person, caller, {
            ...{ departments, bands, companyId: person.companyId, directory: directory?.name },
          })}
          first={typedPerson(person)}
          submit={pageTexts.form.save}
          save={async (changes) => {
            const { id: userId } = person;
            const saved = await client.post('/api/users/update', { id: userId, ...nested(changes) }, { version });
            const before = valuesBefore(person, changes);
            const restore = (known: string) =>
              client.post('/api/users/update', { id: userId, ...nested(before ?? {}) }, { version: known });
            return before && (() => undoUnlessChanged(client, { userId }, saved, restore).then(changed));
          }}
          changedBy={() => changedBy(client, 'user', person.id)}
          done={(undo) => {
            close();
            notify('done', words.saved(name), undo);
          }}
          close={close}
        />
      )}
    </DialogButton>
  );
}
