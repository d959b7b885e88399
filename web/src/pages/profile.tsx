import { Alert, Paper, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ownUser } from '../../../src/entities/user.ts';
import { NO_DRAFT } from '../parts/draft.ts';
import { Cards, Facts } from '../parts/facts.tsx';
import { entityFields, typedOf } from '../parts/form-fields.ts';
import { RecordForm } from '../parts/record-form.tsx';
import { PageHead, Pending } from '../parts/states.tsx';
import { useGet } from '../session/queries.ts';
import { type OwnProfile, profileKey, useDraft, useSession } from '../session/session.tsx';
import { useCompanyNames } from '../session/use-company.ts';
import { hasCorporateRole, useProfile } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { changedBy } from './changed-by.ts';
import { accessFacts, employmentFacts, moneyFacts, recordFacts, workFacts } from './person-facts.tsx';
import classes from './profile.module.css';
import { Substitution } from './substitution.tsx';
import { WhoApproves } from './who-approves.tsx';

const COMPLETIONS: Readonly<Record<string, string>> = {
  firstName: 'given-name',
  lastName: 'family-name',
  phone: 'tel',
  dateOfBirth: 'bday',
  addressLine1: 'address-line1',
  addressLine2: 'address-line2',
  pincode: 'postal-code',
};
const FIELDS = entityFields(ownUser, [
  ...['firstName', 'lastName', 'phone', 'dateOfBirth', 'gender', 'pincode', 'addressLine1', 'addressLine2'],
]).map((field) => ({
  ...field,
  isRequired: false,
  staysSet: !field.isNullable,
  isWide: field.name.startsWith('address'),
  autoComplete: COMPLETIONS[field.name] ?? 'off',
  ...(field.isNullable ? { placeholder: t('optional') } : {}),
}));

/** The user's own profile: the details that they maintain, and those that others do. */
export function ProfilePage() {
  const own = useProfile();
  const names = useCompanyNames(own.data?.profile);
  const more = useGet('/api/users/profile', { include: 'employment,substitution' });
  if (!own.data) return <Pending of={own} rows={8} />;
  const { profile } = own.data;
  return (
    <>
      <PageHead title={t('Profile')} lead={t('Your details. You can edit the fields under Personal details.')} />
      {hasCorporateRole(profile) && !profile.company.active && (
        <Alert color="yellow" role="note" mb="md">
          {t('Your company is deactivated. Its lists are closed until it is active again.')}
        </Alert>
      )}
      <div className={classes.columns}>
        <OwnDetails {...own.data} />
        <Cards columns={2}>
          <WhoApproves title={t('Who approves my booking?')} companyId={profile.companyId} userId={profile.id} />
          <Facts
            title={t('Work')}
            facts={[...workFacts(profile), ...employmentFacts(more.data?.data.employment, hasCorporateRole(profile))]}
          />
          {more.data?.data.substitution && (
            <Substitution
              substitution={more.data.data.substitution}
              planned={more.data.data.substitutions}
              companyId={hasCorporateRole(profile) ? profile.companyId : undefined}
              known={more.data.data.employment?.manager ? [more.data.data.employment.manager] : []}
              isOwn
              mayChange
              changed={more.refetch}
            />
          )}
          <Facts title={t('Limits and points')} facts={moneyFacts(profile)} />
          <Facts title={t('Roles')} facts={accessFacts(profile, names)} />
          <Facts title={t('Account')} facts={[[t('E-mail'), profile.email], ...recordFacts(profile)]} />
        </Cards>
      </div>
    </>
  );
}

/** The form of what users change in their own profile. Its draft is part of the session, so that it outlives the page. */
function OwnDetails({ profile, version }: OwnProfile) {
  const { client, userId } = useSession();
  const { draft, setDraft } = useDraft();
  const queries = useQueryClient();
  const reload = async () => queries.setQueryData<OwnProfile>(profileKey(userId), await client.profile());
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h4" mb="md">
        {t('Personal details')}
      </Title>
      <RecordForm
        title={t('Personal details')}
        fields={FIELDS}
        first={typedOf(FIELDS, profile)}
        submit={t('Save')}
        save={async (changes) => {
          // The service clears the second line of the address where it is absent.
          const body = { addressLine2: profile.addressLine2, ...changes };
          await client.post('/api/users/update-profile', body, { version });
          await reload();
        }}
        reload={reload}
        changedBy={() => changedBy(client, 'user', profile.id)}
        inPlace={{
          draft,
          setDraft,
          saved: t('Profile saved.'),
          unsaved: t('{count, plural, one {1 unsaved change} other {# unsaved changes}}', {
            count: Object.keys(draft).length,
          }),
        }}
        close={() => setDraft(NO_DRAFT)}
      />
    </Paper>
  );
}
