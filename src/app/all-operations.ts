import type { RemovalSources } from '../api/crud.ts';
import type { Operation } from '../api/operation.ts';
import type { Database, Reader } from '../db/database.ts';
import { apiKeysOperations } from '../features/api-keys/api-keys-operations.ts';
import { approvalPoliciesOperations } from '../features/approval-policies/approval-policies-operations.ts';
import { auditOperations, type FeedSources } from '../features/audit-trail/audit-operations.ts';
import { bandsOperations } from '../features/bands/bands-operations.ts';
import { bookingsOperations } from '../features/bookings/bookings-operations.ts';
import { companiesOperations } from '../features/companies/companies-operations.ts';
import type { CompanySettings } from '../features/companies/companies-queries.ts';
import type { AdminSource } from '../features/companies/companies-service.ts';
import { consoleOperations, type SignInSource } from '../features/console/console-routes.ts';
import { costCentersOperations } from '../features/cost-centers/cost-centers-operations.ts';
import { departmentsOperations } from '../features/departments/departments-operations.ts';
import { directoriesOperations } from '../features/directories/directories-operations.ts';
import { fieldsOperations } from '../features/fields/fields-operations.ts';
import { geographyOperations } from '../features/geography/geography-operations.ts';
import type { GeographySources } from '../features/geography/geography-responses.ts';
import { groupMappingsOperations } from '../features/group-mappings/group-mappings-operations.ts';
import { groupsOperations } from '../features/groups/groups-operations.ts';
import { healthOperations, type ReadinessSources } from '../features/health/health-operations.ts';
import { legalEntitiesOperations } from '../features/legal-entities/legal-entities-operations.ts';
import { type MailSources, mailsOperations } from '../features/mails/mails-operations.ts';
import { applyGroups } from '../features/people/group-roles.ts';
import { importOperation } from '../features/people/import/import-operations.ts';
import { movesOperations } from '../features/people/moves-operations.ts';
import { usersOperations } from '../features/people/users-operations.ts';
import { profileOperations } from '../features/profile/profile-operations.ts';
import { rolesOperations } from '../features/roles/roles-operations.ts';
import type { ScimServices } from '../features/scim/scim-operation.ts';
import { scimOperations } from '../features/scim/scim-plugin.ts';
import {
  type ConnectionSources,
  signInConnectionsOperations,
} from '../features/sign-in-connections/sign-in-connections-operations.ts';
import { spendingOperations } from '../features/spending/spending-operations.ts';
import { type TravellerSources, travellersOperations } from '../features/travellers/travellers-operations.ts';
import { type WebhookSources, webhooksOperations } from '../features/webhooks/webhooks-operations.ts';

/** Services available to operations; each operation declares those it needs. */
export interface Services
  extends GeographySources,
    ReadinessSources,
    SignInSource,
    FeedSources,
    CompanySettings,
    AdminSource,
    WebhookSources,
    ConnectionSources,
    ScimServices,
    TravellerSources,
    MailSources,
    RemovalSources {
  /** The primary, for writes and for reads that must see the caller's own writes. Starts no statement once the caller has disconnected. */
  db: Database;
  /** For lists that may be a few seconds stale: the replica, if there is one. */
  lists: Reader;
}

export const OPERATIONS: readonly Operation<Services>[] = [
  ...profileOperations,
  ...geographyOperations,
  ...companiesOperations,
  ...usersOperations,
  ...movesOperations,
  importOperation,
  ...mailsOperations,
  ...travellersOperations,
  ...bandsOperations,
  ...approvalPoliciesOperations,
  ...departmentsOperations,
  ...costCentersOperations,
  ...groupsOperations,
  ...rolesOperations,
  ...legalEntitiesOperations,
  ...fieldsOperations,
  ...groupMappingsOperations(applyGroups),
  ...directoriesOperations,
  ...apiKeysOperations,
  ...bookingsOperations,
  ...spendingOperations,
  ...webhooksOperations,
  ...signInConnectionsOperations,
  ...auditOperations,
  ...scimOperations,
  ...healthOperations,
  ...consoleOperations,
];
