import { it } from 'node:test';
import { leave, openAtProvider, signIn } from './at-provider.ts';
import { assertBecomes } from './browser.ts';
import { heading } from './console.ts';

const { provider, open } = await openAtProvider();
provider.addAccount({ sub: 'a-joiner', email: 'joiner@acme.example', email_verified: true });

it('an added person signs in at the provider, completes their profile, and is signed out once deactivated', () =>
  open('/people', async (admin) => {
    await signIn(admin, 'an-admin');
    await heading(admin, 'People');
    await open('/profile', async (joiner) => {
      // Whom nobody has added is not let in.
      await signIn(joiner, 'a-joiner');
      await joiner.getByRole('alert').waitFor();
      await admin.getByRole('button', { name: 'Add a person' }).click();
      const form = admin.getByRole('dialog');
      await form.getByLabel('First name').fill('Jaya');
      await form.getByLabel('Last name').fill('Menon');
      await form.getByLabel('E-mail').fill('joiner@acme.example');
      await form.getByRole('button', { name: 'Add a person' }).click();
      await heading(admin, 'Jaya Menon');

      await leave(joiner);
      await heading(joiner, 'Profile');
      await assertBecomes(() => joiner.getByLabel('First name').inputValue(), 'Jaya');
      await joiner.getByLabel('Phone').fill('+91 98765 43210');
      await joiner.getByLabel('Date of birth').fill('1994-02-03');
      await joiner.getByLabel('Address', { exact: true }).fill('4, Lake View Road');
      await joiner.getByLabel('PIN code').fill('560 001');
      await joiner.getByRole('button', { name: 'Save' }).click();
      await joiner.getByText('Profile saved.').waitFor();
      await admin.reload();
      await admin.getByText('+919876543210').waitFor();
      await admin.getByText('4, Lake View Road').waitFor();

      await admin.getByRole('button', { name: 'Deactivate' }).click();
      await form.getByRole('button', { name: 'Deactivate' }).click();
      await admin.getByRole('button', { name: 'Reactivate' }).waitFor();
      await joiner.getByRole('link', { name: 'History' }).click();
      await joiner.getByRole('dialog').getByText('Your session has expired.').waitFor();
      await joiner.reload();
      await joiner.getByRole('button', { name: 'Sign in with your account' }).waitFor();
      await leave(joiner);
      await joiner.getByRole('alert').waitFor();
      await assertBecomes(() => joiner.getByRole('heading', { level: 1, name: 'Profile', exact: true }).count(), 0);
    });
  }));
