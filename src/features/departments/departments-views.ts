import type { DepartmentRow } from './departments-queries.ts';
import type { DepartmentView } from './departments-schemas.ts';

export function departmentView({ userCount, ...department }: DepartmentRow): DepartmentView {
  return { ...department, _count: { users: userCount } };
}
