import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';

// The pool of the adapter has 10 connections, as that of orgdesk.
const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL ?? '' });

export const prisma = new PrismaClient({ adapter });
