import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, ILike, MoreThanOrEqual, Repository } from 'typeorm';
import { decide } from '../../shared/decision.ts';
import { CompaniesQuery, CompanyQuery, pageAnswer, skipTake } from './pages.ts';
import { Booking, Company, Department, User } from './people.entities.ts';
import { ApprovalPolicy } from './policy.entities.ts';

/** People that an evaluation names. */
const NAMED = 10;

@Injectable()
export class CompanyListsService {
  constructor(
    @InjectRepository(Company) private readonly companyRows: Repository<Company>,
    @InjectRepository(Department) private readonly departmentRows: Repository<Department>,
    @InjectRepository(ApprovalPolicy) private readonly policyRows: Repository<ApprovalPolicy>,
    @InjectRepository(User) private readonly userRows: Repository<User>,
  ) {}

  async companies(query: CompaniesQuery) {
    const found = this.companyRows.createQueryBuilder('company');
    if (query.activeOnly) found.andWhere('company.active');
    if (query.search) {
      found.andWhere(
        '(company.name ILIKE :needle OR company.legalName ILIKE :needle OR company.gstin ILIKE :needle OR company.email ILIKE :needle)',
        { needle: `%${query.search}%` },
      );
    }
    const { skip, take } = skipTake(query);
    const [rows, totalItems] = await Promise.all([
      found
        .clone()
        .select('company.id', 'id')
        .addSelect('company.name', 'name')
        .addSelect('company.legalName', 'legalName')
        .addSelect('company.gstin', 'gstin')
        .addSelect('company.creditLimit', 'creditLimit')
        .addSelect('company.creditDays', 'creditDays')
        .addSelect('company.active', 'active')
        .addSelect(
          (count) => count.select('COUNT(*)::int').from(User, 'user').where('user.companyId = company.id'),
          'users',
        )
        .addSelect(
          (count) => count.select('COUNT(*)::int').from(Booking, 'booking').where('booking.companyId = company.id'),
          'bookings',
        )
        .orderBy('company.nameFolded')
        .addOrderBy('company.id')
        .offset(skip)
        .limit(take)
        .getRawMany<{ users: number; bookings: number }>(),
      found.getCount(),
    ]);
    const data = rows.map(({ users, bookings, ...company }) => ({ ...company, _count: { users, bookings } }));
    return pageAnswer('Companies retrieved successfully', data, totalItems, query);
  }

  async departments(query: CompanyQuery) {
    const { companyId, search } = query;
    const needle = search ? ILike(`%${search}%`) : undefined;
    const where: FindOptionsWhere<Department>[] = needle
      ? [
          { companyId, name: needle },
          { companyId, costCode: needle },
        ]
      : [{ companyId }];
    const { skip, take } = skipTake(query);
    const [rows, totalItems] = await Promise.all([
      this.departmentRows
        .createQueryBuilder('department')
        .setFindOptions({ where })
        .select('department.id', 'id')
        .addSelect('department.name', 'name')
        .addSelect('department.budget', 'budget')
        .addSelect('department.costCode', 'costCode')
        .addSelect(
          (count) => count.select('COUNT(*)::int').from(User, 'user').where('user.departmentId = department.id'),
          'users',
        )
        .orderBy('department.nameFolded')
        .addOrderBy('department.id')
        .offset(skip)
        .limit(take)
        .getRawMany<{ users: number }>(),
      this.departmentRows.count({ where }),
    ]);
    const data = rows.map(({ users, ...department }) => ({ ...department, _count: { users } }));
    return pageAnswer('Departments retrieved successfully', data, totalItems, query);
  }

  async approvalPolicies(query: CompanyQuery) {
    const { companyId, search } = query;
    const [policies, totalItems] = await this.policyRows.findAndCount({
      where: { companyId, ...(search ? { name: ILike(`%${search}%`) } : {}) },
      relations: { levels: true },
      // Ordered by levels as well, TypeORM would take a page of levels for one of policies.
      order: { nameFolded: 'ASC', id: 'ASC' },
      ...skipTake(query),
    });
    const data = policies.map(({ id, name, autoApprovalLimit, levels }) => ({
      id,
      name,
      autoApprovalLimit,
      levels: levels
        .sort((one, other) => one.level - other.level)
        .map(({ id, level, roleRequired, minAmount }) => ({ id, level, roleRequired, minAmount })),
    }));
    return pageAnswer('Approval Policies retrieved successfully', data, totalItems, query);
  }

  policy(id: string) {
    return this.policyRows.findOne({ where: { id }, relations: { levels: true }, order: { levels: { level: 'ASC' } } });
  }

  async evaluate(policy: ApprovalPolicy, amount: string) {
    const { companyId } = policy;
    const data = await decide(policy, amount, async (role, least) => {
      const [people, total] = await this.userRows.findAndCount({
        select: { id: true, firstName: true, lastName: true, approvalLimit: true, nameFolded: true },
        where: {
          active: true,
          companyRoles: { companyId, role },
          ...(least === undefined ? {} : { approvalLimit: MoreThanOrEqual(least) }),
        },
        order: { nameFolded: 'ASC', id: 'ASC' },
        take: NAMED,
      });
      return { total, people: people.map(({ nameFolded: _, ...each }) => each) };
    });
    return { success: true, message: 'Approval evaluated successfully', data };
  }
}
