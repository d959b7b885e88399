// A bot of a chat: "/trip BK-4711 60000" asks orgdesk who has to approve, and shows a button. Who presses it has to be one of the
// approvers of the open step; after the last step the booking is recorded. Requests are signed in the way of Slack.
// A key with users.read, policies.evaluate and bookings.write.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient } from 'orgdesk-client';

const {
  ORGDESK_URL,
  ORGDESK_KEY,
  COMPANY_ID: companyId,
  SIGNING_SECRET,
  CHAT_URL,
  CHAT_TOKEN,
  PORT = '8080',
} = process.env;
const orgdesk = createClient({ baseUrl: ORGDESK_URL, token: ORGDESK_KEY });

const server = createServer(async (request, response) => {
  const body = await text(request);
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  try {
    const form = new URLSearchParams(body);
    const reply = form.has('payload') ? await press(JSON.parse(form.get('payload'))) : await propose(form);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  } catch (error) {
    console.error(error);
    response.writeHead(200).end('That did not work.');
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

/** Whether the chat has sent this within five minutes. */
function isSigned(headers, body) {
  const { 'x-slack-request-timestamp': at = '', 'x-slack-signature': given = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false;
  const expected = `v0=${createHmac('sha256', SIGNING_SECRET).update(`v0:${at}:${body}`).digest('hex')}`;
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

/** "/trip ID AMOUNT" */
async function propose(form) {
  const [id, amount] = form.get('text').split(' ');
  const person = await personOf(form.get('user_id'));
  return person ? next({ id, amount, userId: person.id, approvedBy: [] }) : only('orgdesk does not know your address.');
}

/** A button: its value comes back as the bot has sent it, in a signed request. */
async function press({ user, actions: [{ value }] }) {
  const trip = JSON.parse(value);
  const [person, open] = await Promise.all([personOf(user.id), openStep(trip)]);
  const may = open.step?.approvers.people.some(({ id }) => id === person?.id) && !trip.approvedBy.includes(person.id);
  return may ? next({ ...trip, approvedBy: [...trip.approvedBy, person.id] }) : only('You do not decide on this.');
}

/** Evaluates anew: people and limits may have changed since the question. @returns the first step that lacks an approval */
async function openStep({ userId, amount, approvedBy }) {
  const { data } = await orgdesk.post('/api/approval-policies/evaluate', { userId, amount });
  const lacks = ({ skipped, minApprovers = 1, approvers: { people } }) =>
    skipped === null && people.filter(({ id }) => approvedBy.includes(id)).length < minApprovers;
  return { ...data, step: data.steps.find(lacks) };
}

async function next(trip) {
  const { decision, reasons, step } = await openStep(trip);
  if (decision === 'AUTO_APPROVED' || (decision === 'APPROVAL_NEEDED' && step === undefined)) {
    const { id, userId, amount } = trip;
    await orgdesk.post('/api/bookings/record', { bookings: [{ id, companyId, userId, amount }] });
    return { response_type: 'in_channel', text: `${id} is booked.` };
  }
  if (decision !== 'APPROVAL_NEEDED') return only(reasons.map(({ message }) => message).join(' '));
  const names = step.approvers.people.map(({ firstName, lastName }) => `${firstName} ${lastName}`).join(', ');
  const button = { type: 'button', action_id: 'approve', text: { type: 'plain_text', text: 'Approve' } };
  const section = {
    type: 'section',
    text: { type: 'plain_text', text: `${trip.id}, ${trip.amount}: ${names} may approve.` },
  };
  const blocks = [section, { type: 'actions', elements: [{ ...button, value: JSON.stringify(trip) }] }];
  return { response_type: 'in_channel', text: section.text.text, blocks };
}

/** A person of orgdesk, by the address that the chat has of them. */
async function personOf(chatUser) {
  const headers = { authorization: `Bearer ${CHAT_TOKEN}` };
  const response = await fetch(`${CHAT_URL}/api/users.info?user=${encodeURIComponent(chatUser)}`, { headers });
  const email = (await response.json()).user?.profile.email;
  if (!email) return undefined;
  const { data } = await orgdesk.get('/api/users/list', { companyId, email, activeOnly: true });
  return data[0];
}

function only(message) {
  return { response_type: 'ephemeral', text: message };
}
