import type { Static } from 'typebox';
import { crud } from '../../../src/api/crud.ts';
import { operationsOf } from '../../../src/api/crud-operations.ts';
import { includedTimes, timeFields } from '../../../src/api/list-schemas.ts';
import { one, page } from '../../../src/api/output.ts';
import { selectFields } from '../../../src/audit/entity-sql.ts';
import { corporateAdmins, corporateStaff } from '../../../src/auth/callers/access.ts';
import { fieldsBut } from '../../../src/entities/entity.ts';
import { answeredFields, titled } from '../../../src/entities/field-schemas.ts';
import { user } from '../../../src/entities/user.ts';
import { project } from './project.ts';

const FIELDS = fieldsBut(project, 'id', 'companyId');
const SHOWN_FIELDS = ['id', 'companyId', ...FIELDS] as const;

const shown = answeredFields(project, SHOWN_FIELDS);
const ListedProject = titled('Project', { ...shown, ...includedTimes });
const ProjectView = titled('ProjectDetail', { ...shown, ...timeFields });

const projects = crud<
  typeof project,
  (typeof FIELDS)[number],
  Static<typeof ProjectView>,
  never,
  Static<typeof ListedProject>
>({
  entity: project,
  targets: [user],
  columns: selectFields(project, SHOWN_FIELDS),
  writable: FIELDS,
});

const { list, get, create, update, remove } = operationsOf(projects, {
  output: one(ProjectView),
  reads: { access: corporateStaff, scope: 'departments.read' },
  writes: { access: corporateAdmins, scope: 'organization.write' },
});

export const projectsOperations = [
  list({ id: 'projects.list', description: 'The projects of a company.', output: page(ListedProject) }),
  get({ id: 'projects.get' }),
  create({ id: 'projects.create' }),
  update({ id: 'projects.update' }),
  remove({ id: 'projects.delete' }),
] as const;
