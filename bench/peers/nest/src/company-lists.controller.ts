import { Controller, Get, NotFoundException, Query, UseGuards } from '@nestjs/common';
import { AuthGuard, Caller, checkCompany, PlatformGuard } from './auth.guard.ts';
import { CompanyListsService } from './company-lists.service.ts';
import { CompaniesQuery, CompanyQuery, EvaluationQuery } from './pages.ts';
import { User } from './people.entities.ts';

@Controller('api')
@UseGuards(AuthGuard)
export class CompanyListsController {
  constructor(private readonly lists: CompanyListsService) {}

  @Get('companies/list')
  @UseGuards(PlatformGuard)
  companies(@Query() query: CompaniesQuery) {
    return this.lists.companies(query);
  }

  @Get('departments/list')
  departments(@Caller() caller: User, @Query() query: CompanyQuery) {
    checkCompany(caller, query.companyId);
    return this.lists.departments(query);
  }

  @Get('approval-policies/list')
  approvalPolicies(@Caller() caller: User, @Query() query: CompanyQuery) {
    checkCompany(caller, query.companyId);
    return this.lists.approvalPolicies(query);
  }

  @Get('approval-policies/evaluate')
  async evaluate(@Caller() caller: User, @Query() { id, amount }: EvaluationQuery) {
    const policy = await this.lists.policy(id);
    if (policy === null) throw new NotFoundException();
    checkCompany(caller, policy.companyId);
    return this.lists.evaluate(policy, amount);
  }
}
