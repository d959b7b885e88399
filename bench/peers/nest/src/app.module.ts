import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthGuard } from './auth.guard.ts';
import { CitiesController } from './cities.controller.ts';
import { CompanyListsController } from './company-lists.controller.ts';
import { CompanyListsService } from './company-lists.service.ts';
import { Band, Booking, Company, CompanyRole, Department, SystemRole, User } from './people.entities.ts';
import { City, Country, State } from './place.entities.ts';
import { ApprovalPolicy, ApprovalPolicyLevel } from './policy.entities.ts';
import { ProfileController } from './profile.controller.ts';
import { ProfileService } from './profile.service.ts';

const PEOPLE = [Band, Booking, Company, CompanyRole, Department, SystemRole, User];
const ENTITIES = [...PEOPLE, City, Country, State, ApprovalPolicy, ApprovalPolicyLevel];

@Module({
  imports: [
    // The pool of the driver has 10 connections, as that of orgdesk.
    TypeOrmModule.forRoot({ type: 'postgres', url: process.env.DATABASE_URL ?? '', entities: ENTITIES }),
    TypeOrmModule.forFeature(ENTITIES),
    JwtModule.register({
      secret: process.env.JWT_SECRET ?? '',
      verifyOptions: { algorithms: ['HS256'], issuer: 'orgdesk', audience: 'orgdesk' },
    }),
  ],
  controllers: [ProfileController, CompanyListsController, CitiesController],
  providers: [AuthGuard, ProfileService, CompanyListsService],
})
export class AppModule {}
