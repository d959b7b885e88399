import { Router } from 'express';
import { z } from 'zod';
import { authenticate, type Caller } from './authenticate.ts';
import type { Prisma } from './generated/client.ts';
import { prisma } from './prisma.ts';

const full = {
  company: { select: { id: true, name: true, legalName: true, gstin: true, active: true } },
  department: { select: { id: true, name: true, costCode: true } },
  band: { select: { id: true, name: true, code: true, autoApprovalLimit: true, maxBookingLimit: true } },
  companyRoles: {
    select: { id: true, companyId: true, role: true },
    orderBy: [{ companyId: 'asc' }, { role: 'asc' }],
  },
  systemRole: { select: { role: true, active: true } },
} satisfies Prisma.UserInclude;

const reduced = {
  company: { select: { id: true, name: true, legalName: true } },
  department: { select: { id: true, name: true } },
  band: { select: { id: true, name: true, code: true } },
} satisfies Prisma.UserInclude;

function rolesOf({ systemRole, companyRoles }: Pick<Caller, 'systemRole'> & { companyRoles: { role: string }[] }) {
  const roles = new Set(companyRoles.map(({ role }) => role));
  if (systemRole?.active) roles.add(systemRole.role);
  return [...roles].sort();
}

const line = (maximum: number) => z.string().trim().min(1).max(maximum);

const profileUpdate = z.object({
  firstName: line(100).optional(),
  lastName: line(100).optional(),
  phone: z
    .string()
    .regex(/^\+?[\d ()-]{7,30}$/)
    .optional(),
  dateOfBirth: z.iso
    .date()
    .transform((date) => new Date(date))
    .optional(),
  gender: line(50).optional(),
  addressLine1: line(255).optional(),
  addressLine2: line(255).nullable().default(null),
  pincode: z
    .string()
    .regex(/^[A-Za-z0-9 -]{3,12}$/)
    .optional(),
});

export const profileRoutes = Router();

profileRoutes.get('/api/users/profile', authenticate, async (_request, response) => {
  const { id } = response.locals.caller as Caller;
  const { systemRole, ...user } = await prisma.user.findUniqueOrThrow({ where: { id }, include: full });
  const { band } = user;
  response.json({
    success: true,
    message: 'User profile retrieved successfully',
    data: {
      ...user,
      employeeBand: band.code,
      approvalLimit: user.approvalLimit.toFixed(2),
      band: {
        ...band,
        autoApprovalLimit: band.autoApprovalLimit.toFixed(2),
        maxBookingLimit: band.maxBookingLimit?.toFixed(2) ?? null,
      },
      systemRoleMap: systemRole,
      roles: rolesOf({ systemRole, companyRoles: user.companyRoles }),
    },
  });
});

profileRoutes.post('/api/users/update-profile', authenticate, async (request, response) => {
  const caller = response.locals.caller as Caller;
  // A field that is absent stays as it is: Prisma leaves undefined ones out.
  const data = profileUpdate.parse(request.body) as Prisma.UserUpdateInput;
  const user = await prisma.user.update({ where: { id: caller.id }, data, include: reduced });
  response.json({
    success: true,
    message: 'Profile updated successfully',
    data: {
      ...user,
      employeeBand: user.band.code,
      approvalLimit: user.approvalLimit.toFixed(2),
      roles: rolesOf(caller),
    },
  });
});
