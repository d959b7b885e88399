import { type Static, Type } from 'typebox';
import { companyIdParameter, idParameter, newIdParameter } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, givenFields, newRowFields, titled } from '../../entities/field-schemas.ts';
import { groupMapping } from '../../entities/group-mapping.ts';

/** Fields that a request may set besides the id and the company. */
export const MAPPING_FIELDS = fieldsBut(groupMapping, 'id', 'companyId');
export const SHOWN_FIELDS = ['id', 'companyId', ...MAPPING_FIELDS] as const;

const id = idParameter(groupMapping);

export const GroupMappingIdInput = Type.Object({ id });

export const GroupMappingListInput = Type.Object({ companyId: companyIdParameter(), ...pageParameters(100) });

export const GroupMappingCreateInput = Type.Object({
  id: newIdParameter(),
  ...newRowFields(groupMapping, ['companyId', ...MAPPING_FIELDS]),
});

export const GroupMappingUpdateInput = Type.Object({
  id,
  ...Type.Partial(Type.Object(givenFields(groupMapping, MAPPING_FIELDS))).properties,
});

export const GroupMappingView = titled('GroupMapping', {
  ...answeredFields(groupMapping, SHOWN_FIELDS),
  _count: Type.Object({
    groups: Type.Integer({ description: 'Groups of directories that it maps', examples: [1] }),
    users: Type.Integer({ description: 'Members of these groups', examples: [12] }),
  }),
});
export type GroupMappingView = Static<typeof GroupMappingView>;
