import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  type Relation,
  UpdateDateColumn,
} from 'typeorm';

const MONEY = { type: 'numeric', precision: 15, scale: 2 } as const;

@Entity('companies')
export class Company {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  name: string;
  @Column('text', { name: 'legal_name' })
  legalName: string;
  @Column('text')
  gstin: string;
  @Column('text')
  email: string;
  @Column({ ...MONEY, name: 'credit_limit' })
  creditLimit: string;
  @Column('int', { name: 'credit_days' })
  creditDays: number;
  @Column('boolean')
  active: boolean;
  @Column('text', { name: 'name_folded' })
  nameFolded: string;
}

@Entity('departments')
export class Department {
  @PrimaryColumn('uuid')
  id: string;
  @Column('uuid', { name: 'company_id' })
  companyId: string;
  @Column('text')
  name: string;
  @Column('text', { name: 'cost_code' })
  costCode: string;
  @Column(MONEY)
  budget: string;
  @Column('text', { name: 'name_folded' })
  nameFolded: string;
}

@Entity('employee_bands')
export class Band {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  name: string;
  @Column('text')
  code: string;
  @Column({ ...MONEY, name: 'auto_approval_limit' })
  autoApprovalLimit: string;
  @Column({ ...MONEY, name: 'max_booking_limit', nullable: true })
  maxBookingLimit: string | null;
}

@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  email: string;
  @Column('text', { name: 'first_name' })
  firstName: string;
  @Column('text', { name: 'last_name' })
  lastName: string;
  @Column('text')
  phone: string;
  @Column('text', { name: 'client_type' })
  clientType: string;
  @Column('uuid', { name: 'company_id' })
  companyId: string;
  @Column('uuid', { name: 'department_id' })
  departmentId: string;
  @Column('uuid', { name: 'band_id' })
  bandId: string;
  @Column({ ...MONEY, name: 'approval_limit' })
  approvalLimit: string;
  @Column('date', { name: 'date_of_birth' })
  dateOfBirth: string;
  @Column('text')
  gender: string;
  @Column('text', { name: 'address_line_1' })
  addressLine1: string;
  @Column('text', { name: 'address_line_2', nullable: true })
  addressLine2: string | null;
  @Column('text')
  pincode: string;
  @Column('int', { name: 'loyalty_points' })
  loyaltyPoints: number;
  @Column('boolean')
  active: boolean;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
  @Column('text', { name: 'name_folded' })
  nameFolded: string;
  @ManyToOne(() => Company)
  @JoinColumn({ name: 'company_id' })
  company: Relation<Company>;
  @ManyToOne(() => Department)
  @JoinColumn({ name: 'department_id' })
  department: Relation<Department>;
  @ManyToOne(() => Band)
  @JoinColumn({ name: 'band_id' })
  band: Relation<Band>;
  @OneToMany(
    () => CompanyRole,
    (role) => role.user,
  )
  companyRoles: Relation<CompanyRole[]>;
  @OneToOne(
    () => SystemRole,
    (role) => role.user,
  )
  systemRole: Relation<SystemRole> | null;
}

@Entity('company_roles')
export class CompanyRole {
  @PrimaryColumn('text')
  id: string;
  @Column('uuid', { name: 'user_id' })
  userId: string;
  @Column('uuid', { name: 'company_id' })
  companyId: string;
  @Column('text')
  role: string;
  @ManyToOne(
    () => User,
    (user) => user.companyRoles,
  )
  @JoinColumn({ name: 'user_id' })
  user: Relation<User>;
  @ManyToOne(() => Company)
  @JoinColumn({ name: 'company_id' })
  company: Relation<Company>;
}

@Entity('system_roles')
export class SystemRole {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;
  @Column('text')
  role: string;
  @Column('boolean')
  active: boolean;
  @OneToOne(
    () => User,
    (user) => user.systemRole,
  )
  @JoinColumn({ name: 'user_id' })
  user: Relation<User>;
}

/** Only counted here. */
@Entity('bookings')
export class Booking {
  @PrimaryColumn('text')
  id: string;
  @Column('uuid', { name: 'company_id' })
  companyId: string;
}
