import { Router } from 'express';
import { z } from 'zod';
import type { Prisma } from './generated/client.ts';
import { pageAnswer, pageQuery, skipTake } from './pages.ts';
import { prisma } from './prisma.ts';

const citiesQuery = pageQuery(1000).extend({
  stateId: z.coerce.number().int().optional(),
  countryId: z.coerce.number().int().optional(),
  isPaginationNeeded: z.stringbool().default(false),
});

export const cities = Router();

cities.get('/api/cities/list', async (request, response) => {
  const { search, stateId, countryId, isPaginationNeeded, ...page } = citiesQuery.parse(request.query);
  const where: Prisma.CityWhereInput = {
    ...(search ? { name: { contains: search, mode: 'insensitive' } } : {}),
    ...(stateId === undefined ? {} : { stateId }),
    ...(countryId === undefined ? {} : { countryId }),
  };
  const query = {
    where,
    include: {
      state: { select: { id: true, name: true, stateCode: true } },
      country: { select: { id: true, name: true, iso2: true, iso3: true } },
    },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  } satisfies Prisma.CityFindManyArgs;
  const message = 'Cities retrieved successfully';
  if (!isPaginationNeeded) {
    response.json({ success: true, message, data: await prisma.city.findMany(query) });
    return;
  }
  const [data, totalItems] = await Promise.all([
    prisma.city.findMany({ ...query, ...skipTake(page) }),
    prisma.city.count({ where }),
  ]);
  response.json(pageAnswer(message, data, totalItems, page));
});
