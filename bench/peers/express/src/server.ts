import type { AddressInfo } from 'node:net';
import express from 'express';
import { cities } from './cities.ts';
import { companyLists } from './company-lists.ts';
import { handleErrors } from './errors.ts';
import { profileRoutes } from './profile.ts';

const app = express();
app.use(express.json({ limit: '64kb' }));
app.use(profileRoutes);
app.use(companyLists);
app.use(cities);
app.use(handleErrors);

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
