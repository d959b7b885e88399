import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenSigner } from '../../src/auth/tokens/access-token.ts';
import { keysFromSecret } from '../../src/auth/tokens/token-keys.ts';
import { tokenCommand } from '../../src/commands/people-commands.ts';
import { UserError } from '../../src/lib/errors.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { TEST_SECRET, type TestApp } from '../support/build-test-app.ts';
import { stopClock } from '../support/clock.ts';
import { AUDIENCE, type TestProvider } from '../support/identity-provider.ts';
import { addPerson } from '../support/people.ts';
import { accountOf, openAccounts } from './provider-accounts.ts';

/** Which tokens are taken where they come from an identity provider. */
export function testProviderTokens(api: TestApp, provider: TestProvider): void {
  const { view, signIn, linksOf } = openAccounts(api, provider);

  describe('with an identity provider', () => {
    it('provider tokens for another audience, ID tokens and forged tokens get 401, and link nobody', async () => {
      const { id, email } = await addPerson(api.db);
      const account = accountOf(email);
      const { idToken } = await provider.signIn(account);
      const elsewhere = await signIn(account, 'https://other.example/api');
      const sign = tokenSigner(keysFromSecret(TEST_SECRET), { issuer: provider.issuer, audience: AUDIENCE });
      const ownToken = await sign(id, 60);
      for (const token of [idToken, elsewhere, ownToken]) assertRefused(await view(token), 401, 'INVALID_TOKEN');
      assert.deepEqual(await linksOf(id), []);
    });

    it('a provider token gets 401 from the second in which it expires', async () => {
      const { email } = await addPerson(api.db);
      const token = await signIn(accountOf(email));
      dataOf(await view(token));
      using _ = stopClock(Date.now() + 3_601_000);
      assert.match(assertRefused(await view(token), 401, 'INVALID_TOKEN').message, /expired/);
    });

    it('orgdesk token is refused with the address of the provider that issues tokens', async () => {
      const output = { print: () => assert.fail(), progress: () => undefined, flushed: async () => undefined };
      await assert.rejects(
        tokenCommand.act(api.context, ['employee@acme.example'], output, {}),
        (error) => error instanceof UserError && error.message.includes(provider.issuer),
      );
    });
  });
}
