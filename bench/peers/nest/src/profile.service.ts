import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { User } from './people.entities.ts';
import { UpdateProfileDto } from './profile.dto.ts';

function rolesOf({ systemRole, companyRoles }: User): string[] {
  const roles = new Set(companyRoles.map(({ role }) => role));
  if (systemRole?.active) roles.add(systemRole.role);
  return [...roles].sort();
}

const ownFields = (user: User) => ({
  id: user.id,
  email: user.email,
  firstName: user.firstName,
  lastName: user.lastName,
  phone: user.phone,
  clientType: user.clientType,
  companyId: user.companyId,
  departmentId: user.departmentId,
  employeeBand: user.band.code,
  bandId: user.bandId,
  approvalLimit: user.approvalLimit,
  dateOfBirth: `${user.dateOfBirth}T00:00:00.000Z`,
  gender: user.gender,
  addressLine1: user.addressLine1,
  addressLine2: user.addressLine2,
  pincode: user.pincode,
  loyaltyPoints: user.loyaltyPoints,
  active: user.active,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
});

@Injectable()
export class ProfileService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  async find(id: string) {
    const user = await this.users.findOneOrFail({
      where: { id },
      relations: { company: true, department: true, band: true, companyRoles: true, systemRole: true },
      order: { companyRoles: { companyId: 'ASC', role: 'ASC' } },
    });
    const { company, department, band, systemRole } = user;
    return {
      ...ownFields(user),
      company: {
        id: company.id,
        name: company.name,
        legalName: company.legalName,
        gstin: company.gstin,
        active: company.active,
      },
      department: { id: department.id, name: department.name, costCode: department.costCode },
      band,
      companyRoles: user.companyRoles.map(({ id, companyId, role }) => ({ id, companyId, role })),
      systemRoleMap: systemRole && { role: systemRole.role, active: systemRole.active },
      roles: rolesOf(user),
    };
  }

  async update(caller: User, changes: UpdateProfileDto) {
    await this.users.update(caller.id, changes);
    const user = await this.users.findOneOrFail({
      where: { id: caller.id },
      relations: { company: true, department: true, band: true },
    });
    const { company, department, band } = user;
    return {
      ...ownFields(user),
      company: { id: company.id, name: company.name, legalName: company.legalName },
      department: { id: department.id, name: department.name },
      band: { id: band.id, name: band.name, code: band.code },
      roles: rolesOf(caller),
    };
  }
}
