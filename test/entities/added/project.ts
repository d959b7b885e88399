import { companyId } from '../../../src/entities/department.ts';
import { type AuditedEntity, type Entity, withColumns } from '../../../src/entities/entity.ts';
import { text, uuid } from '../../../src/entities/values.ts';

const byCode = { fields: ['companyId', 'code'], constraint: 'projects_code', ignoresCase: true } as const;

/** An entity of a company that refers to a person of it. */
export const project = {
  name: 'project',
  noun: 'project',
  table: 'projects',
  file: 'projects.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [byCode],
  naturalKey: byCode,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '1f2e3d4c-5b6a-4798-8877-665544332211' },
    companyId,
    name: { kind: text(200), folded: true, example: 'Fleet' },
    code: { kind: text(50), example: 'CC-310' },
    ownerId: { kind: uuid, nullable: true, references: 'user', ofSameCompany: true, example: null },
  }),
} as const satisfies Entity;

/** An entity about one person, which never leaves the service. */
export const travelDocument = {
  name: 'travelDocument',
  noun: 'travel document',
  table: 'travel_documents',
  id: 'id',
  unique: [],
  staysInside: true,
  title: ['kind'],
  auditSubject: { user: 'userId', company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '1f2e3d4c-5b6a-4798-8877-665544332212' },
    companyId,
    userId: { kind: uuid, references: 'user', ofSameCompany: true, example: '1f2e3d4c-5b6a-4798-8877-665544332213' },
    kind: { kind: text(50), example: 'Passport' },
    number: { kind: text(50), retention: 'personal', example: 'Z1234567' },
  }),
} as const satisfies AuditedEntity;
