import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Database } from '../../db/database.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { validateWith } from '../../http/input.ts';
import { ApiError, apiErrors } from '../../lib/errors.ts';
import { type ProfilePatch, readProfilePatch } from './profile-input.ts';
import type { ProfileRow } from './profile-queries.ts';
import { ProfilePatchSchema, ProfileView, ReducedProfileView } from './profile-schemas.ts';
import { updateOwnProfile } from './profile-service.ts';
import { profileTag, profileView, reducedProfileView } from './profile-views.ts';

const VIEWED = 'User profile retrieved successfully';
const UPDATED = 'Profile updated successfully';

/** View and update of the own profile, each by GET and by POST, on a scope that authenticates its callers by their profile. */
export function profileRoutes(
  scope: FastifyInstance,
  { db, callerOf }: { db: Database; callerOf: (request: FastifyRequest) => ProfileRow },
): void {
  const viewing = (operationId: string): RouteShorthandOptions => ({
    config: { operation: 'profile.view' },
    schema: {
      operationId,
      tags: ['Profile'],
      summary: 'Get the own profile',
      description: 'The profile of the user whose token it is. Its ETag can be sent as If-Match with an update.',
      response: { 200: envelopeSchema(VIEWED, ProfileView), ...errorResponses(401) },
    },
  });
  async function view(request: FastifyRequest, reply: FastifyReply) {
    const profile = profileView(callerOf(request));
    reply.header('etag', profileTag(profile));
    return envelope(VIEWED, profile);
  }
  scope.get('/api/users/profile', viewing('getProfile'), view);
  scope.post('/api/users/profile', viewing('getProfileByPost'), view);

  const updating = (operationId: string, fields: 'querystring' | 'body'): RouteShorthandOptions => ({
    config: { operation: 'profile.update' },
    validatorCompiler: validateWith(() => readProfilePatch),
    schema: {
      operationId,
      tags: ['Profile'],
      summary: 'Update the own profile',
      description:
        'Writes the fields that are sent and leaves the others, but for addressLine2: left out beside other fields it is cleared. ' +
        'With If-Match the update happens only where the profile is still the one that was read.',
      [fields]: ProfilePatchSchema,
      response: { 200: envelopeSchema(UPDATED, ReducedProfileView), ...errorResponses(400, 401, 403, 412) },
    },
  });
  async function update(request: FastifyRequest, reply: FastifyReply, patch: ProfilePatch) {
    const origin = { caller: callerOf(request), requestId: request.id };
    const profile = await updateOwnProfile(db, origin, patch, request.headers['if-match']);
    reply.header('etag', profileTag(profileView(profile)));
    return envelope(UPDATED, reducedProfileView(profile));
  }
  scope.post<{ Body: ProfilePatch }>('/api/users/update-profile', updating('updateProfile', 'body'), (request, reply) =>
    update(request, reply, request.body),
  );
  scope.get<{ Querystring: ProfilePatch }>(
    '/api/users/update-profile',
    {
      ...updating('updateProfileByGet', 'querystring'),
      exposeHeadRoute: false,
      preValidation: [refusePrefetch, refuseMalformedQuery],
    },
    (request, reply) => update(request, reply, request.query),
  );
}

/** A browser that fetches a link ahead of a click must not change anything by it (Fetch standard: `Sec-Purpose`). */
async function refusePrefetch(request: FastifyRequest): Promise<void> {
  if (/\bprefetch\b/i.test(String(request.headers['sec-purpose'] ?? ''))) {
    throw new ApiError('PREFETCH_REFUSED', 'This request changes the profile: it is not answered ahead of time.');
  }
}

/** The query parser leaves what it cannot decode as it stands: `%ED%A0%80`, half of a surrogate pair, would be written so. */
async function refuseMalformedQuery(request: FastifyRequest): Promise<void> {
  try {
    decodeURIComponent(request.url);
  } catch {
    throw apiErrors.malformed('The query string is not percent-encoded UTF-8.');
  }
}
