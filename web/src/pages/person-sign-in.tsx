import type { FullPerson } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { connectionTexts } from '../lazy-texts.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { useSession } from '../session/session.tsx';
import { peopleTexts, profileTexts } from '../texts.ts';

const words = profileTexts.signIn;

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
  const label = `${connectionTexts.link}, ${isolated(person.email)}`;
  return <Copied text={link} label={label} {...(isShort ? { shown: '' } : {})} />;
}

/** When a person last signed in, why they were refused, and the button that forgets how they sign in. */
export function PersonSignIn({ person, mayForget }: { person: FullPerson; mayForget: boolean }) {
  const { client } = useSession();
  const { linked, lastSignInAt, lastRefusal } = person.signIn;
  const name = isolated(`${person.firstName} ${person.lastName}`);
  return (
    <Facts
      title={words.title}
      facts={[
        [words.last, lastSignInAt === null ? words.never : formatMoment(lastSignInAt)],
        ...(lastSignInAt === null && person.active
          ? [[connectionTexts.link, <SignInLink key="link" person={person} />] as const]
          : []),
        ...(person.workEmail === null ? [] : [[peopleTexts.workEmail, person.workEmail] as const]),
        [words.account, linked ? words.linked : words.notLinked],
        ...(lastRefusal
          ? [[words.refused(formatMoment(lastRefusal.at)), words.reasons[lastRefusal.reason]] as const]
          : []),
      ]}
    >
      {mayForget && linked && (
        <ConfirmButton
          title={words.forget}
          size="xs"
          text={words.forgetText(name)}
          done={words.forgotten(name)}
          run={() => client.post('/api/users/forget-sign-in', { id: person.id })}
        />
      )}
    </Facts>
  );
}
