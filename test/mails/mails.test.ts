import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { readConfig } from '../../src/config/config.ts';
import type { MailKind } from '../../src/entities/mail.ts';
import { openMailClient } from '../../src/features/mails/mail-client.ts';
import type { MailView } from '../../src/features/mails/mails-schemas.ts';
import { queueMails, tendMails } from '../../src/features/mails/queue-mails.ts';
import { sendDueMails, sendMails } from '../../src/features/mails/send-mails.ts';
import { erasePerson } from '../../src/features/people/erase-person.ts';
import { RETRY_SECONDS } from '../../src/features/webhooks/deliver-changes.ts';
import { disableWebhook } from '../../src/features/webhooks/delivery-queries.ts';
import { openAdministration, personFields } from '../administration/administration.ts';
import { createUser, directoryFor } from '../scim/directory.ts';
import { assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { addPerson, type Person } from '../support/people.ts';
import { startSigningProvider } from '../support/signing-provider.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';
import { headerOf, type Received, startSmtpServer } from './smtp-server.ts';

const server = await startSmtpServer();
const SETTINGS = {
  SMTP_URL: server.url,
  MAIL_FROM: 'no-reply@orgdesk.example',
  PUBLIC_URL: 'https://console.example/',
  WEBHOOK_PRIVATE_TARGETS: 'true',
};
const config = readConfig(SETTINGS);
const client = (await openMailClient(config)) ?? assert.fail('It sends no mails.');
const administration = await openAdministration(openTestDatabase, SETTINGS);
after(async () => {
  client[Symbol.dispose]();
  await administration[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
const { api, home, other, admin, superAdmin, foreignAdmin, post, get, add } = administration;
const { db } = api;
const options = {
  client,
  product: 'orgdesk',
  settings: config,
  onError: (error: unknown) => assert.fail(String(error)),
};
await queueMails(db, false);

const queue = async () => {
  while (await queueMails(db, false));
};
/** Has what is due sent, and returns what the server got meanwhile. */
async function sent(settings = config): Promise<Received[]> {
  const before = server.received.length;
  await queue();
  while ((await sendDueMails(db, client, { ...options, settings })) > 0);
  return server.received.slice(before);
}
const mailsTo = async (userId: string, as: Person = superAdmin) =>
  pageOf<MailView>(await get(as, 'mails/list', { userId, limit: '100' })).items;
const stateOf = async (userId: string) => {
  const [mail, ...others] = await mailsTo(userId);
  assert.ok(mail);
  assert.equal(others.length, 0);
  return mail;
};
const create = async (fields: object = {}, as = admin) =>
  dataOf<{ id: string; email: string }>(await post(as, 'users/create', { ...personFields(home), ...fields }));
const passDelay = () => db.query(sql`update mails set next_try_at = now() where status = 'QUEUED'`);
const kindsTo = async (userId: string): Promise<MailKind[]> => {
  await queue();
  return (await mailsTo(userId)).map(({ kind }) => kind as MailKind).sort();
};

/** Imports a new person, and returns their id. */
async function bring(parameters = ''): Promise<string> {
  const email = `${randomUUID()}@new.example`;
  const { statusCode } = await api.send({
    method: 'POST',
    url: `/api/users/import?companyId=${home.id}${parameters}`,
    as: admin.email,
    headers: { 'content-type': 'text/csv' },
    payload: `email,firstName,lastName\n${email},Asha,Rao\n`,
  });
  assert.equal(statusCode, 200);
  const [imported] = await db.query<{ id: string }>(sql`select id from users where email = ${email}`);
  return imported?.id ?? assert.fail();
}

describe('who gets which mail', () => {
  it('the mails to people of a company name the product as the company does, also as their sender', async () => {
    await post(admin, 'companies/update', { id: home.id, brandName: 'Acme Trips' });
    await create();
    const [mail] = await sent();
    assert.ok(mail);
    assert.equal(headerOf(mail, 'Subject'), 'Your account at Acme Trips');
    assert.match(String(headerOf(mail, 'From')), /^"?Acme Trips"? </);
    await post(admin, 'companies/update', { id: home.id, brandName: null });
  });

  it('a person whom an administrator creates is invited, with a link to sign in', async () => {
    const { id, email } = await create({ firstName: 'Zoë' });
    const [mail, ...others] = await sent();
    assert.ok(mail);
    assert.equal(others.length, 0);
    assert.equal(mail.to, email);
    assert.equal(mail.from, 'no-reply@orgdesk.example');
    assert.equal(headerOf(mail, 'Subject'), 'Your account at orgdesk');
    const told = await stateOf(id);
    assert.equal(headerOf(mail, 'Message-ID'), `<${told.id}@orgdesk.example>`);
    assert.equal(headerOf(mail, 'Auto-Submitted'), 'auto-generated');
    assert.match(mail.text, /Hello Zoë,/);
    assert.ok(mail.text.includes(`https://console.example/#sign-in=${encodeURIComponent(email)}`));
    assert.deepEqual(
      { ...told, id: '', createdAt: '', sentAt: typeof told.sentAt },
      {
        ...{
          id: '',
          companyId: home.id,
          userId: id,
          kind: 'INVITATION',
          subjectId: id,
          createdAt: '',
          name: 'Zoë Rao',
        },
        ...{ status: 'SENT', attempts: 1, nextAttemptAt: null, error: null, sentAt: 'string', acceptedAt: null },
      },
    );
  });

  it('a guest gets no invitation, and a person whom users/import adds gets one', async () => {
    const host = await add();
    const { id } = await create({ workerType: 'GUEST', hostId: host.id, until: '2031-12-31' });
    assert.deepEqual(await kindsTo(id), []);
    assert.deepEqual(await kindsTo(await bring()), ['INVITATION']);
  });

  it('a person whom users/import adds with invite=false gets no invitation, and one by users/invite', async () => {
    const id = await bring('&invite=false');
    assert.deepEqual(await kindsTo(id), []);
    assert.deepEqual(await db.query(sql`select from uninvited_people`), []);
    dataOf(await post(admin, 'users/invite', { id }));
    assert.deepEqual(await kindsTo(id), ['INVITATION']);
    assert.deepEqual(await kindsTo(await bring('&invite=true')), ['INVITATION']);
  });

  it('a person who gets roles in another company gets one mail there, and none at home', async () => {
    const [guest, colleague] = [await addPerson(db, { company: other }), await add()];
    for (const role of ['MANAGER', 'EMPLOYEE']) {
      dataOf(await post(superAdmin, 'users/grant-role', { userId: guest.id, companyId: home.id, role }));
    }
    dataOf(await post(superAdmin, 'users/grant-role', { userId: colleague.id, companyId: home.id, role: 'MANAGER' }));
    assert.deepEqual(await kindsTo(guest.id), ['ADDED']);
    assert.deepEqual(await kindsTo(colleague.id), []);
  });

  it('a substitute gets a mail with the person and the days, in their language', async () => {
    const [away, substitute] = [await add(), await add()];
    await db.query(sql`insert into travellers (user_id, language) values (${substitute.id}, 'de-AT')`);
    const days = { from: '2031-12-21', until: '2032-01-03' };
    dataOf(await post(admin, 'users/set-substitute', { userId: away.id, substituteId: substitute.id, ...days }));
    const mail = (await sent()).find(({ to }) => to === substitute.email);
    assert.ok(mail);
    assert.match(headerOf(mail, 'Subject') ?? '', /^Sie entscheiden für /);
    assert.match(mail.text, /vom 21\. Dezember 2031 bis zum 3\. Januar 2032/);
    await db.query(sql`update travellers set language = 'fr-CA' where user_id = ${substitute.id}`);
    dataOf(
      await post(admin, 'users/set-substitute', { userId: (await add()).id, substituteId: substitute.id, ...days }),
    );
    const french = (await sent()).find(({ to }) => to === substitute.email);
    assert.match(french?.text ?? '', /du 21 décembre 2031 au 3 janvier 2032/);
  });

  it('mails/list shows from the first sign-in of an invited person when they have accepted', async () => {
    await using provider = await startSigningProvider('api://orgdesk');
    const connection = { companyId: home.id, issuer: provider.issuer, audience: 'api://orgdesk', algorithm: 'ES256' };
    dataOf(await post(admin, 'sign-in-connections/create', connection));
    const { id, email } = await create();
    await sent();
    assert.equal((await stateOf(id)).acceptedAt, null);
    const token = await provider.token({ sub: id, email, email_verified: true });
    const headers = { authorization: `Bearer ${token}` };
    await waitUntil('the keys', async () => {
      const { statusCode } = await api.app.inject({ url: '/api/users/profile', headers });
      return statusCode === 200;
    });
    const { acceptedAt, createdAt } = await stateOf(id);
    assert.ok(acceptedAt !== null && acceptedAt >= createdAt);
  });

  it('the person who made a key gets one mail that it ends within two weeks', async () => {
    const maker = await add({ roles: [['CORPORATE_ADMIN', home]] });
    await db.query(sql`
      insert into api_keys (id, company_id, name, scopes, prefix, hash, created_at, created_by, expires_at)
      values (${randomUUID()}, ${home.id}, 'Soon', 'users.read', 'odk_soon0000', ${randomUUID().replaceAll('-', '').repeat(2)}, now() - interval '300 days',
              ${maker.id}, now() + interval '3 days')`);
    for (const _ of [1, 2]) await tendMails(db, false);
    const mails = (await sent()).filter(({ to }) => to === maker.email);
    assert.deepEqual(
      mails.map((mail) => headerOf(mail, 'Subject')),
      ['The API key Soon expires'],
    );
    assert.match(mails[0]?.text ?? '', /https:\/\/console\.example\/keys/);
  });

  it('the administrators of a company get a mail that a webhook was switched off, and those of others none', async () => {
    const body = { companyId: home.id, url: 'https://127.0.0.1/', description: 'HR mirror' };
    const id = randomUUID();
    await db.query(
      sql`insert into webhooks (id, company_id, url, description) values (${id}, ${home.id}, ${body.url}, ${body.description})`,
    );
    await disableWebhook(db, id, 'gone');
    const told = (await sent()).filter(
      (mail) => headerOf(mail, 'Subject') === 'The webhook HR mirror was switched off',
    );
    assert.ok(told.some(({ to }) => to === admin.email));
    assert.ok(told.every(({ to }) => to !== foreignAdmin.email));
  });

  it('the administrators get one mail a day that some of what a directory sent was refused', async () => {
    const boss = await addPerson(db, { company: other, roles: [['CORPORATE_ADMIN', other]] });
    const directory = await directoryFor(api, other);
    for (const _ of [1, 2]) await createUser(directory, { title: 'x'.repeat(250) });
    assert.deepEqual(await kindsTo(boss.id), ['DIRECTORY_REFUSED']);
  });
});

describe('a server that fails', () => {
  it('a mail that gets a 4xx, or no connection, is tried again by the steps of webhooks, and given up after the last', async () => {
    const { id, email } = await create();
    server.answer = (command) => (command.startsWith('RCPT') ? `451 4.7.1 try again, ${email}` : undefined);
    assert.equal((await sent()).length, 0);
    const first = await stateOf(id);
    assert.deepEqual([first.status, first.attempts, first.error], ['QUEUED', 1, '451 4.7.1']);
    assert.ok(Date.parse(first.nextAttemptAt ?? '') > Date.now() - 60_000);
    server.answer = (command) => (/^(EHLO|HELO|MAIL)/.test(command) ? 'drop' : undefined);
    for (let attempt = 2; attempt <= RETRY_SECONDS.length; attempt += 1) {
      await passDelay();
      await sent();
      const { status, attempts } = await stateOf(id);
      assert.deepEqual([status, attempts], ['QUEUED', attempt]);
    }
    await passDelay();
    await sent();
    assert.equal((await stateOf(id)).status, 'FAILED');
    server.answer = () => undefined;
  });

  it('a mail whose recipient gets a 5xx is given up at once, without the address in what is kept', async () => {
    const { id, email } = await create();
    server.answer = (command) => (command.startsWith('RCPT') ? `550 5.1.1 <${email}> unknown` : undefined);
    await sent();
    server.answer = () => undefined;
    const { status, error, nextAttemptAt } = await stateOf(id);
    assert.deepEqual({ status, error, nextAttemptAt }, { status: 'FAILED', error: '550 5.1.1', nextAttemptAt: null });
  });

  it('a 5xx to the sender or the password is no reason to give a mail up', async () => {
    const { id } = await create();
    server.answer = (command) => (command.startsWith('MAIL') ? '550 5.7.1 you may not send' : undefined);
    await sent();
    server.answer = () => undefined;
    assert.equal((await stateOf(id)).status, 'QUEUED');
    await passDelay();
    await sent();
    assert.equal((await stateOf(id)).status, 'SENT');
  });

  it('a mail that was taken before a crash comes again with the same Message-ID', async () => {
    const { id } = await create();
    server.answer = (command) => (command === 'END' ? 'drop' : undefined);
    const [first] = await sent();
    server.answer = () => undefined;
    await passDelay();
    const [again] = await sent();
    assert.ok(first && again);
    assert.equal(headerOf(first, 'Message-ID'), headerOf(again, 'Message-ID'));
    assert.equal((await stateOf(id)).status, 'SENT');
  });

  it('a sender that waits for the server holds no request', async () => {
    let go: (() => void) | undefined;
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { id } = await create();
    await queue();
    const slow = {
      ...client,
      async send(mail: Parameters<typeof client.send>[0]) {
        await waiting;
        return client.send(mail);
      },
    };
    const sending = sendDueMails(db, slow, options);
    await create();
    go?.();
    await sending;
    assert.equal((await stateOf(id)).status, 'SENT');
  });
});

describe('limits', () => {
  it('mails above the limit of a company wait, and those of others do not', async () => {
    await sent();
    await db.query(sql`update mails set sent_at = now() - interval '2 hours' where sent_at is not null`);
    const [, second, foreign] = [await create(), await create(), await create({ companyId: other.id }, foreignAdmin)];
    const limited = { ...config, mailLimit: 1 };
    const got = (await sent(limited)).map(({ to }) => to);
    assert.equal(got.length, 2);
    assert.ok(got.includes(foreign.email));
    const waiting = (await mailsTo(second.id)).concat().filter(({ status }) => status === 'QUEUED');
    assert.ok(waiting.every(({ attempts }) => attempts === 0));
    await db.query(sql`update mails set sent_at = now() - interval '2 hours' where sent_at is not null`);
    await passDelay();
    assert.equal((await sent(limited)).length, 1);
  });

  it('users/invite sends one invitation an hour, also to whom the command line has added', async () => {
    const person = await add();
    const invite = async () => dataOf<MailView>(await post(admin, 'users/invite', { id: person.id }));
    const first = await invite();
    assert.equal(first.status, 'QUEUED');
    assert.equal((await invite()).id, first.id);
    assert.equal((await sent()).filter(({ to }) => to === person.email).length, 1);
    assert.equal((await invite()).status, 'SENT');
    await db.query(sql`update mails set created_at = now() - interval '2 hours' where id = ${first.id}`);
    assert.notEqual((await invite()).id, first.id);
    await sent();
  });

  it('users/invite returns 404 for a person of another company', async () => {
    assertRefused(await post(foreignAdmin, 'users/invite', { id: (await add()).id }), 404, 'NOT_FOUND');
  });

  it('mails/list shows an administrator the mails about their company alone', async () => {
    const all = pageOf<MailView>(await get(admin, 'mails/list', { companyId: home.id, limit: '100' })).items;
    assert.ok(all.length > 0);
    assert.ok(all.every(({ companyId }) => companyId === home.id));
    assertRefused(await get(foreignAdmin, 'mails/list', { companyId: home.id }), 403, 'COMPANY_FORBIDDEN');
    const failed = pageOf<MailView>(await get(admin, 'mails/list', { companyId: home.id, status: 'FAILED' })).items;
    assert.ok(failed.length > 0 && failed.every(({ status }) => status === 'FAILED'));
  });
});

describe('hostile names and addresses', () => {
  it('a name with line breaks, HTML and addresses adds no header, no markup and no link', async () => {
    const { email } = await create({ firstName: '<b>Asha</b> evil.example/x', lastName: 'http://evil.example' });
    await db.query(
      sql`update users set first_name = ${'A\r\nBcc: x@evil.example'} || first_name where email = ${email}`,
    );
    const [mail] = await sent();
    assert.ok(mail);
    assert.equal(mail.to, email);
    assert.ok(mail.headers.every((line) => !/^bcc:/i.test(line)));
    const html = mail.text.slice(mail.text.indexOf('<!doctype'));
    assert.ok(!html.includes('<b>') && html.includes('&#60;b&#62;'));
    assert.ok(!mail.text.includes('evil.example'));
  });

  it('an address outside of ASCII is sent to as it is', async () => {
    const email = `josé.${randomUUID()}@exämple.example`;
    await create({ email });
    const [mail] = await sent();
    assert.equal(mail?.to, email);
  });
});

describe('people who leave', () => {
  it('a person who is deactivated, or erased, before a mail is sent gets none', async () => {
    const [left, erased] = [await create(), await create()];
    await queue();
    dataOf(await post(admin, 'users/update', { id: left.id, active: false }));
    await erasePerson(db, erased.id);
    assert.deepEqual(await sent(), []);
    assert.equal((await stateOf(left.id)).status, 'DROPPED');
    assert.deepEqual(await mailsTo(erased.id), []);
  });

  it('the trail and the feed have a mail without its address', async () => {
    const { id, email } = await create();
    const changes = await administration.changesOf(queue);
    const told = changes.find(({ entity, userId }) => entity === 'mail' && userId === id);
    assert.ok(told);
    assert.equal(told.action, 'added');
    assert.ok(!JSON.stringify(told).includes(email));
    await sent();
  });
});

describe('whoever sends by themselves', () => {
  it('a service whose operator sends the mails leaves them, and sends none', async () => {
    const { id } = await create();
    while (await queueMails(db, true));
    assert.equal((await stateOf(id)).status, 'LEFT');
    assert.deepEqual(await sent(), []);
  });

  it('a change older than a day causes no mail', async () => {
    const { id } = await create();
    while (await queueMails(db, false, Date.now() + 2 * 86_400_000));
    assert.deepEqual(await mailsTo(id), []);
  });
});

it('a running sender queues and sends by itself', async () => {
  const { id } = await create();
  await using _sender = sendMails(db, options);
  await waitUntil('the mail', async () => (await mailsTo(id))[0]?.status === 'SENT');
});

it('a service without SMTP_URL refuses to invite', async () => {
  await using bare = await openAdministration();
  const person = await bare.add();
  assertRefused(await bare.post(bare.admin, 'users/invite', { id: person.id }), 409, 'NOT_CONFIGURED');
});
