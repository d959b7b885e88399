type Values = Record<string, unknown>;
interface Problem {
  field: string;
  code: string;
  message: string;
}

/**
 * Rules that no schema can express, which the contract has in words: what values refer to, and how they fit together. By operation, the field
 * and the message of what breaks them.
 */
const RULES: readonly (readonly [operation: RegExp, field: RegExp, message: RegExp])[] = [
  [/./, /./, /must be the id of|is that of (?:no|another)|is required: the company has no default/],
  [/./, /id$/i, /^Items \d+ and \d+ have the same id\.$|is that of another item/],
  [/^list(?:ApiKeys|Mails|Webhooks)$/, /^companyId$/, /is required/],
  [/^(?:create)(?:ApiKey|Webhook)$/, /^companyId$/, /is required/],
  [/^(?:grant|revoke)Role$/, /^companyId$/, /is required|left out beside a platform role/],
  [/ApprovalPolicy$/, /^levels\[\d+\]\.(?:minAmount|level)$/, /must be at least|once|already|same/],
  [/ApprovalPolicy$/, /^scope\.(?:conditions|from|until)|^defaultApprovers/, /./],
  [/^evaluateApprovalPolicy/, /^(?:id|companyId)$/, /is required|companyId/],
  [
    /^setSubstitute$/,
    /^(?:from|until|substituteId)$/,
    /is required|must not be before|left out|not be the person|today/,
  ],
  [/^saveUsers$/, /^(?:create|update)$/, /1 to 500 people together/],
  [/^(?:update|save)Users?$/, /revokeKeys$/, /left out unless active is false/],
  [/^(?:create|update|save)Users?$/, /employment/, /endDate|startDate|not be before|themselves|own manager/],
  [/^importUsers$/, /^(?:lines|choices)/, /./],
  [/^importUsers$/, /^body$/, /missing from the file and would be deactivated: maxLeavers allows \d+/],
  [/^importUsers$/, /^body\.active$/, /the last active Corporate Admin/],
  [/^(?:create|update)SignInConnection$/, /^domains\[\d+\]$/, /needs the TXT record/],
  [/^(?:create|update)SignInConnection$/, /^sharedWith$/, /must be other companies/],
  // For API keys alone.
  [/^(?:create|update|save)Users?$/, /loyaltyPoints$/, /not a field/],
  // An id of another company's booking is refused as a malformed one.
  [/^recordBookings$/, /\.id$/, /1 to 100 characters/],
  // Of everybody but guests, and of guests alone.
  [/^(?:create|update|save)Users?$/, /(?:^|\.)(?:email|until|hostId)$/, /is required|must be another person/],
  [/^requestMove$/, /^userIds$/, /must have 1 to 1000 people/],
  [/^deleteDirectory$/, /^intoId$/, /./],
  // What a company has defined.
  [/./, /(?:^|\.)fields\./, /./],
  [/Field$/, /^(?:pattern|choices|default)/, /./],
  [/LegalEntity$/, /^(?:taxRegistrations|active|default)/, /./],
  [/Company$/, /^brand/, /./],
  [/^listEvents$/, /^(?:from|after)$/, /given together with after|the next of an earlier/],
  [/^createApiKey$/, /^(?:scopes\[\d+\]|expiresAt)$/, /keys of a company|in the future/],
  [/Webhook$/, /^url$/, /./],
  [/GroupMapping$/, /^(?:role|roleId|departmentId|bandId|groupId|groupName)$/, /./],
  [/./, /^gstin$/, /check/],
  [/./, /^amount$/, /./],
  [/^evaluateApprovalPolicy/, /^currency$/, /must be that of the company/],
  [/^closeCompanyPeriod$/, /^(?:from|to)$/, /must (?:not )?be after/],
  [/^getTraveller$/, /^id$/, /is required/],
  [
    /^updateTraveller$/,
    /^(?:documents|programmes|arrangers|emergencyContact|legalName)/,
    /is required|is none of this person|is no other person|the same|must/,
  ],
];

/** Whether a request that holds to the contract may be refused for this. */
export function isRuleInWords(operationId: string, { field, message }: Problem): boolean {
  return RULES.some(
    ([operation, name, words]) => operation.test(operationId) && name.test(field) && words.test(message),
  );
}

/** Returns the values of a request as far as they go together. */
export function withRules(operationId: string, values: Values): Record<string, string> & Values {
  const kept = { ...values } as Record<string, string> & Values;
  if ('after' in kept && 'page' in kept) delete kept.page;
  if ('activeOnly' in kept && 'inactiveOnly' in kept) delete kept.inactiveOnly;
  if ('entityId' in kept && !('entity' in kept)) delete kept.entityId;
  // Without it, page and limit are ignored whatever they hold.
  if (('limit' in kept || 'page' in kept) && /^list.*ByPost$/.test(operationId)) kept.isPaginationNeeded = 'true';
  if (operationId === 'createGroupMapping') {
    // A group of that id has to be there.
    delete kept.groupId;
    kept.groupName ??= 'Contract';
    kept.role ??= 'MANAGER';
  }
  const { levels } = values;
  if (/ApprovalPolicy$/.test(operationId) && Array.isArray(levels)) {
    // Who approves is one thing of several, and what else a level has depends on it.
    const plain = levels.map(({ level, minAmount }: Values) => ({ level, minAmount, roleRequired: 'MANAGER' }));
    Object.assign(kept, { levels: plain });
  }
  if ('budgets' in kept) Object.assign(kept, { budgets: [{ from: null, budget: '5.00' }] });
  if (operationId === 'followBookings') kept.after = 'now';
  if (operationId === 'resendWebhookChanges') {
    delete kept.since;
    kept.changeId ??= '1';
  }
  if ('facts' in kept) {
    const facts: unknown = operationId.endsWith('ByPost') ? { international: true } : '{"international":true}';
    Object.assign(kept, { facts });
  }
  return kept;
}
