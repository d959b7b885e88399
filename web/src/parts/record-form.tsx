import { Alert, Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { explain, isGivenUp, pauseBeforeRetry, RequestError } from '../api/client.ts';
import { useWarningBeforeLeaving } from '../session/leaving.ts';
import { useChanged } from '../session/queries.ts';
import { t } from '../translate.ts';
import { DialogButton, useClosingQuestion } from './dialog.tsx';
import { type Draft, NO_DRAFT, savedElsewhere, type Typed, typedSince, valuesOf, withTyped } from './draft.ts';
import { nameFields } from './field-problems.ts';
import { Field } from './form-field.tsx';
import { changesIn, type FormField, problemsIn, rowsIn, type Sent, withRows } from './form-fields.ts';
import { notify, type Undo } from './notices.tsx';
import { ask, type Question } from './question.tsx';
import classes from './record-form.module.css';
import { RowFields } from './row-fields.tsx';
import { Dimmed } from './text.tsx';

/** The outcome of the last attempt to save. `conflict`: somebody else has changed the object meanwhile. */
type Outcome = { kind: 'saved' | 'failed'; text: string } | { kind: 'conflict' };

const COLOURS = { saved: 'green', conflict: 'yellow', failed: 'red' } as const;

const DISCARD: Question = {
  text: t('Close without saving? What you typed will be lost.'),
  act: t('Discard'),
  keep: t('Keep editing'),
};

interface RecordFormProps<Result> {
  /** The title of the form, also in the notice when saving fails after the user has left it. */
  title: string;
  fields: readonly FormField[];
  /** The saved values; empty for a new object. */
  first: Typed;
  submit: string;
  /** Sends the changes. @param key the same at each repetition of an attempt whose outcome is unknown */
  save: (changes: Sent, key: string) => Promise<Result>;
  /** Returns the notice after saving, with which the form closes. */
  saved?: (result: Result) => string;
  /** Returns what undoes the change, offered by that notice. */
  undo?: (result: Result) => Undo | undefined;
  /** Called when the changes are saved; a form without it and without `saved` closes. */
  done?: (result: Result) => void;
  /** Closes the form; of one that stays on its page, discards what is typed. */
  close: () => void;
  /** Returns who made the concurrent change, if that is known. */
  changedBy?: () => Promise<string | undefined>;
  /** Reads the saved values after a concurrent change, where {@link useChanged} does not. */
  reload?: () => Promise<unknown>;
  /** Of a form that stays on its page: the draft that outlives it, and the notice after saving. */
  inPlace?: { draft: Draft; setDraft: (change: (draft: Draft) => Draft) => void; saved: string; unsaved: string };
  /** Content that is not a single field; it may depend on the typed values. */
  children?: ReactNode | ((typed: Typed) => ReactNode);
  /** Returns what has to be confirmed before the typed values are saved; undefined: nothing. */
  confirm?: (typed: Typed) => string | undefined;
  /** The state of that content: whether it has changed, and its problem. */
  extra?: { isChanged: boolean; problem: string | undefined };
}

/** The form of all that is added or changed: shows problems per field, and keeps the typed values until they are saved. */
export function RecordForm<Result>(props: RecordFormProps<Result>) {
  const { title, first, submit, save, saved, undo, done, close, changedBy, reload, inPlace, children, extra } = props;
  const own = useState<Draft>(NO_DRAFT);
  const [draft, setDraft] = inPlace ? ([inPlace.draft, inPlace.setDraft] as const) : own;
  const [other, setOther] = useState<string>();
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [visited, setVisited] = useState<readonly string[]>([]);
  const [outcome, setOutcome] = useState<Outcome>();
  const [confirmed, setConfirmed] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const attempt = useRef(randomId());
  const latest = useRef(first);
  latest.current = first;
  const changed = useChanged();
  const typed = valuesOf(draft, first);
  const fields = props.fields.filter(({ isShown }) => isShown?.(typed) !== false);
  const { all, texts } = withRows(fields, typed);
  const problems = problemsIn(all, texts, first);
  const toConfirm = props.confirm?.(typed);
  const saving = useMutation({
    mutationFn: async (_: { sent: Draft; focus: Element | null }) => {
      const result = await save(changesIn(fields, typed, first), attempt.current);
      await changed();
      return result;
    },
    onSuccess: (result, { sent }) => {
      attempt.current = randomId();
      if (inPlace) {
        setDraft((now) => typedSince(sent, now, latest.current));
        setRefused({});
        setVisited([]);
        setOutcome({ kind: 'saved', text: inPlace.saved });
        if (!form.current) notify('done', inPlace.saved);
      }
      if (saved || (!done && !inPlace)) close();
      if (saved) notify('done', saved(result), undo?.(result));
      done?.(result);
    },
    onError: async (error) => {
      if (isGivenUp(error)) return;
      const isAnswered = error instanceof RequestError && error.status !== 0;
      // What was refused is not done: another attempt is another one.
      if (isAnswered && error.status < 500 && pauseBeforeRetry(error) === undefined) attempt.current = randomId();
      const found = error instanceof RequestError ? error.problems : [];
      setRefused(nameFields(found, Object.fromEntries(all.map((field) => [field.name, field])), texts));
      const isNamed = found.length > 0 && found.every(({ field }) => all.some(({ name }) => name === field));
      const isConflict = isAnswered && error.status === 412;
      // With all problems shown at their fields, a general message is enough.
      const text = isNamed
        ? t('Check the highlighted fields.')
        : `${inPlace ? `${t('Your changes are not saved.')} ` : ''}${explain(error)}`;
      if (!form.current) notify('failed', t('{what}: not saved. {why}', { what: title, why: explain(error) }));
      if (!isConflict) return setOutcome({ kind: 'failed', text });
      // The current state is loaded behind the form, and the typed values are kept.
      const who = changedBy?.().then(setOther, () => undefined);
      await Promise.allSettled([who, (reload ?? changed)()]);
      setOutcome({ kind: 'conflict' });
    },
    onSettled: (_, error, { focus }) => {
      // What is closed while it is saved loses the focus.
      const isLost = document.activeElement === document.body && (error !== null || inPlace);
      if (isLost && focus instanceof HTMLElement) requestAnimationFrame(() => focus.focus());
    },
  });
  const isSaved = saving.isPending || (saving.isSuccess && !inPlace);
  const isTyped = Object.keys(draft).some((name) => draft[name]?.typed !== (first[name] ?? ''));
  const isDirty = isTyped || extra?.isChanged === true;
  const isUnsaved = isDirty && !(saving.isSuccess && !inPlace);
  useWarningBeforeLeaving(isUnsaved && !inPlace);
  useClosingQuestion(isUnsaved && !inPlace ? DISCARD : undefined);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (saving.isPending || !isDirty) return;
    setVisited(all.map(({ name }) => name));
    const wrong = all.find(({ name }) => name in problems);
    const box = wrong && event.currentTarget.elements.namedItem(wrong.name);
    if (box instanceof HTMLElement) box.focus();
    const open =
      toConfirm === undefined || toConfirm === confirmed ? extra?.problem : t('Confirm what this does first.');
    const problem = wrong ? t('Check the highlighted fields.') : open;
    setOutcome(problem === undefined ? undefined : { kind: 'failed', text: problem });
    if (problem === undefined) saving.mutate({ sent: draft, focus: document.activeElement });
  };
  const discard = async () => {
    if (inPlace) {
      setDraft(() => NO_DRAFT);
      setRefused({});
      setVisited([]);
      setOutcome(undefined);
    } else if (isUnsaved && !(await ask(DISCARD))) return;
    close();
  };
  const box = (field: FormField) => {
    const { name } = field;
    const saved = isSaved ? undefined : savedElsewhere(draft, first, name);
    const theirs = field.rows && saved !== undefined ? rowsIn(saved).map(field.rows.nameOf).join(', ') : saved;
    const elsewhere = theirs === undefined ? undefined : elsewhereText(theirs || '–', other);
    const problemOf = (at: string) => refused[at] ?? (visited.includes(at) ? problems[at] : undefined);
    const type = (text: string) => {
      setRefused(Object.fromEntries(Object.entries(refused).filter(([at]) => at.split('[', 1)[0] !== name)));
      setOutcome(undefined);
      setDraft((before) => withTyped(before, first, name, text));
    };
    if (field.rows)
      return <RowFields key={name} {...{ field, rows: field.rows, elsewhere, problemOf, type }} value={typed[name]} />;
    return (
      <Field
        key={name}
        field={field}
        isFirst={field === fields.find(({ locked }) => locked === undefined)}
        elsewhere={elsewhere}
        value={typed[name] ?? ''}
        problem={problemOf(name)}
        type={type}
        // Untouched fields are not validated on blur: a message would move the target of the click from under the pointer.
        visit={() => name in draft && setVisited((before) => [...before, name])}
      />
    );
  };
  const grid = (of: readonly FormField[]) => (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
      {of.map(box)}
    </SimpleGrid>
  );
  const groups = [...new Set(fields.flatMap(({ group }) => group ?? []))];
  return (
    <form onSubmit={send} noValidate ref={form} aria-label={inPlace && title}>
      {/* What is typed into a dialog while it saves would be lost with it. */}
      <Stack gap="md" inert={isSaved && !inPlace}>
        {grid(fields.filter((field) => !field.group))}
        {groups.map((group) => (
          <Fieldset key={group.title} legend={group.title}>
            <Dimmed mb="sm">{group.note}</Dimmed>
            {grid(fields.filter((field) => field.group === group))}
          </Fieldset>
        ))}
        {typeof children === 'function' ? children(typed) : children}
        {toConfirm !== undefined && (
          <Checkbox
            label={toConfirm}
            checked={confirmed === toConfirm}
            onChange={({ currentTarget: { checked } }) => setConfirmed(checked ? toConfirm : undefined)}
          />
        )}
      </Stack>
      <div className={classes.foot} data-in-place={inPlace && (isDirty || outcome !== undefined)}>
        <div aria-live="polite">
          {outcome && (
            <Alert color={COLOURS[outcome.kind]} data-testid="outcome">
              {outcome.kind === 'conflict' ? conflictText(other) : outcome.text}
            </Alert>
          )}
        </div>
        <Group justify={inPlace ? 'flex-start' : 'flex-end'}>
          <Button
            variant="default"
            onClick={discard}
            onMouseDown={keepFocus}
            disabled={saving.isPending || (inPlace !== undefined && !isDirty)}
          >
            {inPlace ? t('Discard') : t('Cancel')}
          </Button>
          <Button onMouseDown={keepFocus} type="submit" loading={saving.isPending} disabled={!isDirty}>
            {submit}
          </Button>
          {inPlace && isDirty && (
            <Text size="sm" fw={600} role="status">
              {inPlace.unsaved}
            </Text>
          )}
        </Group>
      </div>
    </form>
  );
}

interface FormButtonProps<Result> extends Omit<RecordFormProps<Result>, 'close' | 'submit'> {
  /** Whether the form changes what the title names; otherwise the title says what it does. */
  edits?: boolean;
  /** A shorter label of the button. */
  label?: string;
  submit?: string;
  variant?: 'filled' | 'default';
  size?: 'xs' | 'sm';
}

/** A button that opens a form in a dialog. */
export function FormButton<Result>(props: FormButtonProps<Result>) {
  const { edits, title, label, submit, variant, size, ...form } = props;
  return (
    <DialogButton
      {...(edits ? { title: t('Edit'), of: title } : { title, label })}
      {...{ ...(variant && { variant }), ...(size && { size }) }}
    >
      {(close) => <RecordForm {...form} title={title} submit={submit ?? (edits ? t('Save') : title)} close={close} />}
    </DialogButton>
  );
}

/** Keeps the focus: the blur would show a problem at the field, or move or disable the button under the pointer. */
export const keepFocus = (event: MouseEvent) => event.preventDefault();

/** Returns a random UUID, also without a secure context, where `crypto.randomUUID` does not exist. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, at) => {
    const versioned = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return versioned.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function elsewhereText(value: string, who: string | undefined): string {
  return who === undefined
    ? t('Changed by someone else to: {value}', { value })
    : t('Changed by {who} to: {value}', { value, who });
}

function conflictText(who: string | undefined): string {
  return who === undefined
    ? t(
        'Someone else changed this while you were editing. What you typed is kept, the other fields show the new values. Save again to overwrite.',
      )
    : t(
        '{who} changed this while you were editing. What you typed is kept, the other fields show the new values. Save again to overwrite.',
        { who },
      );
}
