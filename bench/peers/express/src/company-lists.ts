import { Router } from 'express';
import { z } from 'zod';
import { decide } from '../../shared/decision.ts';
import { authenticate, type Caller, checkCompany, requirePlatformRole } from './authenticate.ts';
import { HttpError } from './errors.ts';
import type { Prisma } from './generated/client.ts';
import { pageAnswer, pageQuery, skipTake } from './pages.ts';
import { prisma } from './prisma.ts';

const companiesQuery = pageQuery(100).extend({ activeOnly: z.stringbool().optional() });
const companyQuery = pageQuery(100).extend({ companyId: z.uuid() });

const evaluationQuery = z.object({ id: z.string().max(100), amount: z.string().regex(/^\d{1,13}\.\d{2}$/) });
/** People that an evaluation names. */
const NAMED = 10;

const containing = (search: string) => ({ contains: search, mode: 'insensitive' }) as const;

export const companyLists = Router();

companyLists.get('/api/companies/list', authenticate, requirePlatformRole, async (request, response) => {
  const { search, activeOnly, ...page } = companiesQuery.parse(request.query);
  const where: Prisma.CompanyWhereInput = {
    ...(activeOnly ? { active: true } : {}),
    ...(search
      ? { OR: (['name', 'legalName', 'gstin', 'email'] as const).map((field) => ({ [field]: containing(search) })) }
      : {}),
  };
  const [companies, totalItems] = await Promise.all([
    prisma.company.findMany({
      where,
      select: {
        id: true,
        name: true,
        legalName: true,
        gstin: true,
        creditLimit: true,
        creditDays: true,
        active: true,
        _count: { select: { users: true, bookings: true } },
      },
      orderBy: [{ nameFolded: 'asc' }, { id: 'asc' }],
      ...skipTake(page),
    }),
    prisma.company.count({ where }),
  ]);
  const data = companies.map((company) => ({ ...company, creditLimit: company.creditLimit.toFixed(2) }));
  response.json(pageAnswer('Companies retrieved successfully', data, totalItems, page));
});

companyLists.get('/api/departments/list', authenticate, async (request, response) => {
  const { companyId, search, ...page } = companyQuery.parse(request.query);
  checkCompany(response.locals.caller as Caller, companyId);
  const where: Prisma.DepartmentWhereInput = {
    companyId,
    ...(search ? { OR: [{ name: containing(search) }, { costCode: containing(search) }] } : {}),
  };
  const [departments, totalItems] = await Promise.all([
    prisma.department.findMany({
      where,
      select: { id: true, name: true, budget: true, costCode: true, _count: { select: { users: true } } },
      orderBy: [{ nameFolded: 'asc' }, { id: 'asc' }],
      ...skipTake(page),
    }),
    prisma.department.count({ where }),
  ]);
  const data = departments.map((department) => ({ ...department, budget: department.budget.toFixed(2) }));
  response.json(pageAnswer('Departments retrieved successfully', data, totalItems, page));
});

companyLists.get('/api/approval-policies/list', authenticate, async (request, response) => {
  const { companyId, search, ...page } = companyQuery.parse(request.query);
  checkCompany(response.locals.caller as Caller, companyId);
  const where: Prisma.ApprovalPolicyWhereInput = { companyId, ...(search ? { name: containing(search) } : {}) };
  const [policies, totalItems] = await Promise.all([
    prisma.approvalPolicy.findMany({
      where,
      select: {
        id: true,
        name: true,
        autoApprovalLimit: true,
        levels: {
          select: { id: true, level: true, roleRequired: true, minAmount: true },
          orderBy: { level: 'asc' },
        },
      },
      orderBy: [{ nameFolded: 'asc' }, { id: 'asc' }],
      ...skipTake(page),
    }),
    prisma.approvalPolicy.count({ where }),
  ]);
  const data = policies.map((policy) => ({
    ...policy,
    autoApprovalLimit: policy.autoApprovalLimit.toFixed(2),
    levels: policy.levels.map((level) => ({ ...level, minAmount: level.minAmount.toFixed(2) })),
  }));
  response.json(pageAnswer('Approval Policies retrieved successfully', data, totalItems, page));
});

companyLists.get('/api/approval-policies/evaluate', authenticate, async (request, response) => {
  const { id, amount } = evaluationQuery.parse(request.query);
  const policy = await prisma.approvalPolicy.findUnique({
    where: { id },
    include: { levels: { orderBy: { level: 'asc' } } },
  });
  if (policy === null) throw new HttpError(404, 'There is no such approval policy.');
  const { companyId, name, autoApprovalLimit, levels } = policy;
  checkCompany(response.locals.caller as Caller, companyId);
  const given = {
    ...{ id, name, autoApprovalLimit: autoApprovalLimit.toFixed(2) },
    levels: levels.map((level) => ({ ...level, minAmount: level.minAmount.toFixed(2) })),
  };
  const data = await decide(given, amount, async (role, least) => {
    const where: Prisma.UserWhereInput = {
      active: true,
      companyRoles: { some: { companyId, role } },
      ...(least === undefined ? {} : { approvalLimit: { gte: least } }),
    };
    const [total, people] = await Promise.all([
      prisma.user.count({ where }),
      prisma.user.findMany({
        where,
        select: { id: true, firstName: true, lastName: true, approvalLimit: true },
        orderBy: [{ nameFolded: 'asc' }, { id: 'asc' }],
        take: NAMED,
      }),
    ]);
    return { total, people: people.map((each) => ({ ...each, approvalLimit: each.approvalLimit.toFixed(2) })) };
  });
  response.json({ success: true, message: 'Approval evaluated successfully', data });
});
