// A product with orgdesk behind it. People sign in to the product alone, which signs their tokens for orgdesk:
// JWKS_URL=http://127.0.0.1:8080/keys.json TOKEN_ISSUER=product TOKEN_AUDIENCE=orgdesk TOKEN_ALGORITHM=ES256 orgdesk serve
import express from 'express';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { ApiError, createClient } from 'orgdesk-client';

const { ORGDESK_URL = 'http://127.0.0.1:3000', PORT = '8080' } = process.env;
// With several processes, or to keep tokens over a restart: a key that is kept.
const { privateKey, publicKey } = await generateKeyPair('ES256');
const key = { ...(await exportJWK(publicKey)), kid: 'product-1', alg: 'ES256', use: 'sig' };

/** The id and the address of who is signed in to the product, such as "u-17 ana@acme.example": its own session goes here. */
const personOf = (request) => request.get('x-signed-in')?.split(' ');

/** Calls orgdesk as this person, with the rights that the person has there. The id stays when the address changes. */
const orgdeskFor = ([id, email]) =>
  createClient({
    baseUrl: ORGDESK_URL,
    token: () =>
      new SignJWT({ email, email_verified: true })
        .setProtectedHeader({ alg: 'ES256', kid: key.kid })
        .setSubject(id)
        .setIssuer('product')
        .setAudience('orgdesk')
        .setIssuedAt()
        .setExpirationTime('5 minutes')
        .sign(privateKey),
  });

const app = express();
app.get('/keys.json', (_request, response) => response.json({ keys: [key] }));
app.use(express.json(), (request, response, next) => {
  const person = personOf(request);
  if (!person) return response.status(401).json({ message: 'Sign in first.' });
  request.orgdesk = orgdeskFor(person);
  next();
});

app.get('/me', async ({ orgdesk }, response) => {
  const { data, etag } = await orgdesk.get('/api/users/profile');
  response.set('etag', etag).json(data);
});

app.post('/me', async ({ orgdesk, body, headers }, response) => {
  const { data } = await orgdesk.post('/api/users/update-profile', body, { ifMatch: headers['if-match'] });
  response.json(data);
});

app.get('/trips/price', async ({ orgdesk, query }, response) => {
  const { data: me } = await orgdesk.get('/api/users/profile');
  const { data } = await orgdesk.get('/api/approval-policies/evaluate', { userId: me.id, amount: query.amount });
  response.json({ decision: data.decision, because: data.reasons.map(({ message }) => message) });
});

// What orgdesk refuses has a message for people, by field.
app.use((error, _request, response, next) => {
  if (!(error instanceof ApiError)) return next(error);
  response.status(error.status).json({ message: error.message, errors: error.errors });
});

const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
