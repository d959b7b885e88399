import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.ts';

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: ['error'] });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(0, '127.0.0.1');
process.stdout.write(`http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}\n`);
process.once('SIGTERM', () => process.exit());
