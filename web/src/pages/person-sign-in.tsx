import type { FullPerson } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { REFUSALS } from './connection-refusals.tsx';

/**
 * The link that opens the sign-in page for a person, to copy.
 *
 * @param isShort shows the button alone
 */
export function SignInLink({
  person,
  isShort = false,
}: {
  person: Pick<FullPerson, 'email' | 'workEmail' | 'active'>;
  isShort?: boolean;
}) {
  if (!person.active) return null;
  const link = `${location.origin}${BASE_PATH}/#${new URLSearchParams({ 'sign-in': person.workEmail ?? person.email })}`;
  const label = `${t('Link to sign in')}, ${isolated(person.email)}`;
  return <Copied text={link} label={label} {...(isShort ? { shown: '' } : {})} />;
}

/** When a person last signed in, why they were refused, and the button that forgets how they sign in. */
export function PersonSignIn({ person, mayForget }: { person: FullPerson; mayForget: boolean }) {
  const { client } = useSession();
  const { linked, lastSignInAt, lastRefusal } = person.signIn;
  const name = isolated(`${person.firstName} ${person.lastName}`);
  return (
    <Facts
      title={t('Sign-in')}
      facts={[
        [t('Last sign-in'), lastSignInAt === null ? t('Never') : formatMoment(lastSignInAt)],
        lastSignInAt === null && person.active && [t('Link to sign in'), <SignInLink key="link" person={person} />],
        person.workEmail !== null && [t('Work address'), person.workEmail],
        [t('Account'), linked ? t('Linked to an account of an identity provider') : t('Not linked')],
        lastRefusal && [t('Refused {when}', { when: formatMoment(lastRefusal.at) }), REFUSALS[lastRefusal.reason]],
      ]}
    >
      {mayForget && lastSignInAt === null && person.active && (
        <ConfirmButton
          title={t('Invite')}
          size="xs"
          text={t('{name} gets a mail with a link to sign in.', { name })}
          done={t('Invited. See Mails for what became of it.')}
          run={() => client.post('/api/users/invite', { id: person.id })}
        />
      )}
      {mayForget && linked && (
        <ConfirmButton
          title={t('Forget how they sign in')}
          size="xs"
          text={t(
            'The account that {name} signs in with is linked no longer. The next account with their verified e-mail address is.',
            { name },
          )}
          done={t('The next account of {name} will be linked.', { name })}
          run={() => client.post('/api/users/forget-sign-in', { id: person.id })}
        />
      )}
    </Facts>
  );
}
