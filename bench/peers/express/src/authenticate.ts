import type { NextFunction, Request, Response } from 'express';
import { jwtVerify } from 'jose';
import { HttpError } from './errors.ts';
import { prisma } from './prisma.ts';

const SECRET = new TextEncoder().encode(process.env.JWT_SECRET);

async function findCaller(id: string) {
  return prisma.user.findUnique({
    where: { id },
    select: {
      id: true,
      active: true,
      systemRole: { select: { role: true, active: true } },
      companyRoles: { select: { companyId: true, role: true, company: { select: { active: true } } } },
    },
  });
}

export type Caller = NonNullable<Awaited<ReturnType<typeof findCaller>>>;

/** Lets the active user through whose token it is, and leaves them in `response.locals.caller`. */
export async function authenticate(request: Request, response: Response, next: NextFunction): Promise<void> {
  const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
  if (scheme !== 'Bearer' || token === undefined) throw new HttpError(401, 'This needs an access token.');
  const { payload } = await jwtVerify(token, SECRET, { issuer: 'orgdesk', audience: 'orgdesk' }).catch(() => {
    throw new HttpError(401, 'The access token is not valid.');
  });
  const caller = await findCaller(payload.sub ?? '');
  if (!caller?.active) throw new HttpError(401, 'The user is unknown or deactivated.');
  response.locals.caller = caller;
  next();
}

/** Lets platform staff through. */
export function requirePlatformRole(_request: Request, response: Response, next: NextFunction): void {
  const { systemRole } = response.locals.caller as Caller;
  if (!systemRole?.active) throw new HttpError(403, 'This needs a platform role.');
  next();
}

/** Throws unless the caller is an admin or manager of that company. */
export function checkCompany(caller: Caller, id: string): void {
  const isAllowed = caller.companyRoles.some(
    ({ companyId, role, company }) => companyId === id && company.active && role !== 'EMPLOYEE',
  );
  if (!isAllowed) throw new HttpError(403, 'This needs a role in that company.');
}
