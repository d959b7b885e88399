import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PROFILE_FIELDS, type ProfileFieldName } from '../../../src/entities/user.ts';
import { isGivenUp, RequestError } from '../api/client.ts';
import { explain } from '../explain.ts';
import { isolated } from '../isolated.ts';
import { nameFields } from '../parts/field-problems.ts';
import { useNotifyElsewhere } from '../parts/use-notify-elsewhere.ts';
import { type Draft, NO_DRAFT } from '../session/draft.ts';
import { profileKey } from '../session/query-keys.ts';
import { type OwnProfile, useDraft, useSession } from '../session/session.tsx';
import { profileTexts as words } from '../texts.ts';
import { changedBy } from './changed-by.ts';
import {
  isChangedElsewhere,
  namedField,
  patchOf,
  problemsOf,
  storedText,
  typedSince,
  withTyped,
} from './profile-fields.ts';

/** The outcome of the last attempt to save. */
export interface Outcome {
  kind: 'saved' | 'conflict' | 'failed';
  text: string;
}

/** The state of the form of the user's own profile. The draft is part of the session, so that it outlives the page. */
export function useProfileForm({ profile, version }: OwnProfile) {
  const { client, userId, hasDraft } = useSession();
  const { draft, setDraft } = useDraft();
  const queries = useQueryClient();
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [visited, setVisited] = useState<readonly ProfileFieldName[]>([]);
  const [outcome, setOutcome] = useState<Outcome>();
  const notifyElsewhere = useNotifyElsewhere();

  const saving = useMutation({
    mutationFn: async (sent: Draft) => {
      await client.post('/api/users/update-profile', patchOf(sent, profile), version);
      return client.profile();
    },
    onSuccess(own, sent) {
      queries.setQueryData<OwnProfile>(profileKey(userId), own);
      setDraft((now) => typedSince(sent, now, own.profile));
      setRefused({});
      setVisited([]);
      conclude({ kind: 'saved', text: words.saved });
    },
    onError: (error) => void notify(error),
  });

  /** Users who have left the page get the outcome as a notice. */
  function conclude(told: Outcome): void {
    setOutcome(told);
    notifyElsewhere(told.kind === 'saved' ? 'done' : 'failed', told.text);
  }

  async function notify(error: Error): Promise<void> {
    if (isGivenUp(error)) return;
    const { status, problems } = error instanceof RequestError ? error : new RequestError(0, {});
    const fields = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, namedField(field)]));
    setRefused(
      nameFields(
        problems,
        fields,
        Object.fromEntries(PROFILE_FIELDS.map((field) => [field, draft[field]?.typed ?? ''])),
      ),
    );
    if (status === 412) return notifyConflict();
    // A 401 opens the sign-in dialog, which explains it.
    const text =
      status === 401 ? words.notSaved : problems.length > 0 ? words.invalid : `${words.notSaved} ${explain(error)}`;
    conclude({ kind: 'failed', text });
  }

  async function notifyConflict(): Promise<void> {
    try {
      queries.setQueryData<OwnProfile>(profileKey(userId), await client.profile());
      const who = await changedBy(client, 'user', profile.id).catch(() => undefined);
      conclude({ kind: 'conflict', text: words.conflict(who) });
    } catch (error) {
      if (!isGivenUp(error)) conclude({ kind: 'failed', text: explain(error as Error) });
    }
  }

  const problems = problemsOf(draft);
  return {
    isDirty: hasDraft,
    outcome,
    changes: Object.keys(draft).length,
    isSaving: saving.isPending,
    valueOf: (field: ProfileFieldName) => draft[field]?.typed ?? storedText(profile, field),
    problemOf: (field: ProfileFieldName) => refused[field] ?? (visited.includes(field) ? problems[field] : undefined),
    noteOf: (field: ProfileFieldName) =>
      isChangedElsewhere(draft, profile, field)
        ? words.nowHolds(isolated(storedText(profile, field) || words.empty))
        : undefined,
    type(field: ProfileFieldName, text: string) {
      const { [field]: _, ...others } = refused;
      setRefused(others);
      setOutcome(undefined);
      setDraft(withTyped(draft, profile, field, text));
    },
    visit: (field: ProfileFieldName) => setVisited((before) => [...new Set([...before, field])]),
    /** @returns the first invalid field; undefined if the form is sent */
    save(): ProfileFieldName | undefined {
      const wrong = PROFILE_FIELDS.find((field) => problems[field] !== undefined);
      setVisited(PROFILE_FIELDS);
      if (wrong) setOutcome({ kind: 'failed', text: words.invalid });
      else if (hasDraft) saving.mutate(draft);
      return wrong;
    },
    discard() {
      setDraft(NO_DRAFT);
      setRefused({});
      setVisited([]);
      setOutcome(undefined);
    },
  };
}
