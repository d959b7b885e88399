import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './build-test-app.ts';

export const UPDATE_PROFILE = '/api/users/update-profile';

/** The two ways to update the own profile: the fields in a JSON body, or in the query string. */
export const UPDATE_WAYS = ['POST', 'GET'] as const;
export type UpdateWay = (typeof UPDATE_WAYS)[number];

/** Updates the profile of the person with this e-mail address. By GET the values are texts. */
export function updateProfile(
  api: TestApp,
  way: UpdateWay,
  as: string,
  fields: object,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const request = { url: UPDATE_PROFILE, method: way, as, headers };
  return api.send(
    way === 'POST' ? { ...request, payload: fields } : { ...request, query: fields as Record<string, string> },
  );
}
