import { companyId } from './department.ts';
import { type Entity, withColumns } from './entity.ts';
import { user } from './user.ts';
import { date, uuid } from './values.ts';

const byDay = { fields: ['userId', 'from'], constraint: 'substitutions_day' } as const;
const person = { kind: uuid, references: 'user', ofSameCompany: true, example: user.fields.id.example } as const;

/** Who decides for a person on some days, beside the substitution that the person's own row has. */
export const substitution = {
  name: 'substitution',
  noun: 'substitution',
  table: 'substitutions',
  file: 'substitutions.csv',
  id: 'id',
  unique: [byDay],
  naturalKey: byDay,
  auditSubject: { user: 'userId', company: 'companyId' },
  periods: [{ from: 'from', until: 'until' }],
  fields: withColumns({
    id: { kind: uuid, example: '5a1f0c52-90c5-4f4e-9a7e-0a3c6b8d7e21' },
    companyId,
    userId: { ...person, description: 'The person who is away' },
    substituteId: { ...person, description: 'The person of the same company who decides instead' },
    from: { kind: date, column: 'first_day', description: 'First day', example: '2026-12-21' },
    until: { kind: date, column: 'last_day', description: 'Last day', example: '2027-01-03' },
  }),
} as const satisfies Entity;
