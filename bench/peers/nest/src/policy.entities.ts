import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, type Relation } from 'typeorm';

const MONEY = { type: 'numeric', precision: 15, scale: 2 } as const;

@Entity('approval_policies')
export class ApprovalPolicy {
  @PrimaryColumn('text')
  id: string;
  @Column('uuid', { name: 'company_id' })
  companyId: string;
  @Column('text')
  name: string;
  @Column({ ...MONEY, name: 'auto_approval_limit' })
  autoApprovalLimit: string;
  @Column('text', { name: 'name_folded' })
  nameFolded: string;
  @OneToMany(
    () => ApprovalPolicyLevel,
    (level) => level.policy,
  )
  levels: Relation<ApprovalPolicyLevel[]>;
}

@Entity('approval_policy_levels')
export class ApprovalPolicyLevel {
  @PrimaryColumn('text')
  id: string;
  @Column('text', { name: 'policy_id' })
  policyId: string;
  @Column('int')
  level: number;
  @Column('text', { name: 'role_required' })
  roleRequired: string;
  @Column({ ...MONEY, name: 'min_amount' })
  minAmount: string;
  @ManyToOne(
    () => ApprovalPolicy,
    (policy) => policy.levels,
  )
  @JoinColumn({ name: 'policy_id' })
  policy: Relation<ApprovalPolicy>;
}
