import assert from 'node:assert/strict';
import { join } from 'node:path';
import { EXAMPLES, open, say } from './programs.ts';

/** @param orgdesk its address; it takes the tokens of the product at the port */
export async function tryExpress(orgdesk: string, port: number): Promise<void> {
  const env = { ORGDESK_URL: orgdesk, PORT: String(port) };
  await using product = await open(env, process.execPath, join(EXAMPLES, 'express/app.mjs'));
  const as = (person: string) => ({ 'x-signed-in': person });
  const employee = as('u-17 employee@acme.example');
  const change = (body: object, more: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { ...employee, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  });
  assert.equal((await product.send('/me')).status, 401);
  const me = await product.send('/me', { headers: employee });
  assert.deepEqual([me.status, (me.body as { email: string }).email], [200, 'employee@acme.example']);
  const tag = { 'if-match': me.headers.get('etag') ?? '' };
  const changed = await product.send('/me', change({ addressLine2: 'Flat 3B' }, tag));
  assert.equal((changed.body as { addressLine2: string }).addressLine2, 'Flat 3B');
  assert.equal((await product.send('/me', change({ addressLine2: 'Flat 3C' }, tag))).status, 412);
  const wrong = await product.send('/me', change({ phone: '12' }));
  assert.deepEqual([wrong.status, (wrong.body as { errors: { field: string }[] }).errors[0]?.field], [400, 'phone']);
  const price = await product.send('/trips/price?amount=100', { headers: employee });
  assert.equal((price.body as { decision: string }).decision, 'AUTO_APPROVED');
  const stranger = await product.send('/me', { headers: as('u-18 nobody@else.example') });
  assert.ok(stranger.status === 401 || stranger.status === 403, String(stranger.status));
  say('express: people of the product read and change their profile by tokens that the product signs');
}
