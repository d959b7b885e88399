import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ProfileFieldName } from '../../../src/lib/profile-fields.ts';
import { RequestError } from '../api/client.ts';
import { type OwnProfile, profileKey, useSession } from '../session/session.tsx';
import { texts } from '../texts.ts';
import { profileTexts as words } from '../texts-profile.ts';
import { changedElsewhere, FIELDS, patchOf, problemsOf, storedText, withTyped } from './profile-fields.ts';

/** What is told of the last try to save. */
export interface Outcome {
  kind: 'saved' | 'conflict' | 'failed';
  text: string;
}

/** The state of the form of the own profile. What is typed stands in the session, and so outlives the page. */
export function useProfileForm({ profile, version }: OwnProfile) {
  const { client, draft, setDraft } = useSession();
  const queries = useQueryClient();
  const [base, setBase] = useState({ profile, version });
  const [elsewhere, setElsewhere] = useState<readonly ProfileFieldName[]>([]);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [visited, setVisited] = useState<readonly string[]>([]);
  const [outcome, setOutcome] = useState<Outcome>();
  const isDirty = Object.keys(draft).length > 0;

  // Read anew while nothing is typed: that is the version that is changed from now on.
  useEffect(() => {
    if (!isDirty) setBase({ profile, version });
  }, [isDirty, profile, version]);

  const saving = useMutation({
    mutationFn: async () => {
      await client.updateProfile(patchOf(draft, base.profile), base.version);
      const own = await client.profile();
      queries.setQueryData<OwnProfile>(profileKey, own);
      return own;
    },
    onSuccess(own) {
      setBase(own);
      setDraft({});
      setElsewhere([]);
      setVisited([]);
      setOutcome({ kind: 'saved', text: words.saved });
    },
    onError: (error) => void explain(error),
  });

  async function explain(error: Error): Promise<void> {
    const { status, problems, message } = error instanceof RequestError ? error : new RequestError(0, {});
    setRefused(Object.fromEntries(problems.map((problem) => [problem.field, problem.message])));
    if (status !== 412) {
      const text = problems.length > 0 ? words.invalid : message || texts.states.offline;
      return setOutcome({ kind: 'failed', text });
    }
    const present = await client.profile().catch(() => undefined);
    if (!present) return setOutcome({ kind: 'failed', text: texts.states.offline });
    setElsewhere(changedElsewhere(base.profile, present.profile).filter((field) => draft[field] !== undefined));
    queries.setQueryData<OwnProfile>(profileKey, present);
    setBase(present);
    setOutcome({ kind: 'conflict', text: words.conflict });
  }

  const problems = problemsOf(draft);
  return {
    isDirty,
    outcome,
    changes: Object.keys(draft).length,
    isSaving: saving.isPending,
    valueOf: (field: ProfileFieldName) => draft[field] ?? storedText(base.profile, field),
    problemOf: (field: ProfileFieldName) => refused[field] ?? (visited.includes(field) ? problems[field] : undefined),
    noteOf: (field: ProfileFieldName) =>
      elsewhere.includes(field) ? words.nowHolds(storedText(base.profile, field) || words.empty) : undefined,
    type(field: ProfileFieldName, text: string) {
      const { [field]: _, ...others } = refused;
      setRefused(others);
      setOutcome(undefined);
      setDraft(withTyped(draft, base.profile, field, text));
    },
    visit: (field: ProfileFieldName) => setVisited((before) => [...before, field]),
    /** @returns the first field that is wrong; undefined where the form is sent */
    save(): ProfileFieldName | undefined {
      const wrong = FIELDS.find((field) => problems[field] !== undefined);
      setVisited(FIELDS);
      if (wrong) setOutcome({ kind: 'failed', text: words.invalid });
      else if (isDirty) saving.mutate();
      return wrong;
    },
    discard() {
      setDraft({});
      setRefused({});
      setElsewhere([]);
      setVisited([]);
      setOutcome(undefined);
    },
  };
}
