import Fastify from 'fastify';

/** What any service on Fastify holds in memory before it does anything. */
const app = Fastify();
app.get('/', (_request, reply) => reply.send('{}'));
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.once('SIGTERM', () => process.exit());
