import { Alert, Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isGivenUp, RequestError } from '../api/client.ts';
import { explain } from '../explain.ts';
import { useChanged } from '../session/use-changes.ts';
import { useWarningBeforeLeaving } from '../session/use-leave-warning.ts';
import { pageTexts } from '../texts.ts';
import { useClosingQuestion } from './closing-question.ts';
import { nameFields } from './field-problems.ts';
import { changesIn, type FormField, problemsIn, type Sent } from './form-fields.ts';
import { mergeTyped, type Typed } from './merge-typed.ts';
import classes from './record-form.module.css';
import { useNotifyElsewhere } from './use-notify-elsewhere.ts';

const words = pageTexts.form;

/** Stands for the message about a concurrent change. */
const CONFLICT = 'conflict';

interface RecordFormProps {
  /** The title of the form, also in the notice when saving fails after the user has left it. */
  title: string;
  fields: readonly FormField[];
  /** The saved values; empty for a new object. */
  first: Typed;
  submit: string;
  /** Sends the changes. */
  save: (changes: Sent) => Promise<unknown>;
  done: () => void;
  cancel: () => void;
  /** Returns who made the concurrent change, if that is known. */
  changedBy?: () => Promise<string | undefined>;
  /** Content that is not a single field; it may depend on the typed values. */
  children?: ReactNode | ((typed: Typed) => ReactNode);
  /** The state of that content: whether it has changed, and its problem. */
  extra?: { isChanged: boolean; problem: string | undefined };
}

/** The form of all dialogs that add or change an object: shows problems per field, and keeps the typed values until they are saved. */
export function RecordForm(props: RecordFormProps) {
  const { title, fields, first, submit, save, done, cancel, changedBy, children, extra } = props;
  const [typed, setTyped] = useState<Typed>(first);
  const [begun, setBegun] = useState<Typed>(first);
  const [elsewhere, setElsewhere] = useState<Typed>({});
  const [other, setOther] = useState<string>();
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [visited, setVisited] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string>();
  const notifyElsewhere = useNotifyElsewhere();
  const changed = useChanged();
  const changes = changesIn(fields, typed, first);
  const problems = problemsIn(fields, typed);
  const saving = useMutation({
    mutationFn: save,
    onSuccess: done,
    onError: (error) => {
      if (isGivenUp(error)) return;
      const isConflict = error instanceof RequestError && error.status === 412;
      if (isConflict) {
        // The current state is loaded behind the form, and the typed values are kept.
        void changed();
        void changedBy?.().then(setOther, () => undefined);
      }
      const found = error instanceof RequestError ? error.problems : [];
      const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]));
      setRefused(nameFields(found, Object.fromEntries(fields.map((field) => [field.name, field])), typed));
      const otherProblems = found.filter(({ field }) => !(field in labels)).map(({ message }) => message);
      const isNamed = found.length > 0 && otherProblems.length === 0;
      // With all problems shown at their fields, a general message is enough.
      setFailure(isConflict ? CONFLICT : isNamed ? words.invalid : explain(error));
      notifyElsewhere('failed', words.failedElsewhere(title, explain(error)));
    },
  });
  if (
    !saving.isPending &&
    !saving.isSuccess &&
    fields.some(({ name }) => (begun[name] ?? '') !== (first[name] ?? ''))
  ) {
    // After a concurrent change untouched fields take the saved values, and the others show them beside the typed ones.
    const merged = mergeTyped(typed, begun, first);
    setBegun(first);
    setTyped(merged.typed);
    setElsewhere({ ...elsewhere, ...merged.elsewhere });
  }
  const isTyped = fields.some(({ name }) => (typed[name] ?? '') !== (first[name] ?? ''));
  const isDirty = isTyped || extra?.isChanged === true;
  const isUnsaved = isDirty && !saving.isSuccess;
  useWarningBeforeLeaving(isUnsaved);
  useClosingQuestion(isUnsaved ? words.discard : undefined);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setVisited(fields.map(({ name }) => name));
    const wrong = fields.find(({ name }) => name in problems);
    const box = wrong && event.currentTarget.elements.namedItem(wrong.name);
    if (box instanceof HTMLElement) box.focus();
    const problem = wrong ? words.invalid : extra?.problem;
    setFailure(problem);
    if (problem === undefined) saving.mutate(changes);
  };
  const groups = [...new Set(fields.flatMap(({ group }) => group ?? []))];
  const box = (field: FormField) => (
    <Field
      key={field.name}
      field={field}
      isFirst={field === fields.find(({ locked }) => locked === undefined)}
      elsewhere={
        elsewhere[field.name] === undefined ? undefined : words.elsewhere(elsewhere[field.name] || words.none, other)
      }
      value={typed[field.name] ?? ''}
      problem={refused[field.name] ?? (visited.includes(field.name) ? problems[field.name] : undefined)}
      type={(text) => {
        const { [field.name]: _, ...others } = refused;
        setRefused(others);
        setFailure(undefined);
        setTyped({ ...typed, [field.name]: text });
      }}
      visit={() => {
        // Untouched fields are not validated on blur: a message would move the target of the click from under the pointer.
        const isTouched = (typed[field.name] ?? '') !== (first[field.name] ?? '');
        if (isTouched) setVisited((before) => [...before, field.name]);
      }}
    />
  );
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          {fields.filter((field) => !field.group).map(box)}
        </SimpleGrid>
        {groups.map((group) => (
          <Fieldset key={group.title} legend={group.title}>
            <Text size="sm" c="dimmed" mb="sm">
              {group.note}
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
              {fields.filter((field) => field.group === group).map(box)}
            </SimpleGrid>
          </Fieldset>
        ))}
        {typeof children === 'function' ? children(typed) : children}
        <div className={classes.foot}>
          <div aria-live="polite">
            {failure !== undefined && (
              <Alert color="red">{failure === CONFLICT ? words.conflict(other) : failure}</Alert>
            )}
          </div>
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={() => (!isUnsaved || confirm(words.discard)) && cancel()}
              disabled={saving.isPending}
            >
              {words.cancel}
            </Button>
            {/* Keeps the focus: the blur would show a problem at the field, and move the button from under the pointer. */}
            <Button
              onMouseDown={(event) => event.preventDefault()}
              type="submit"
              loading={saving.isPending}
              disabled={!isDirty}
            >
              {submit}
            </Button>
          </Group>
        </div>
      </Stack>
    </form>
  );
}

interface FieldProps {
  field: FormField;
  /** Whether it gets the focus when the dialog opens. */
  isFirst: boolean;
  /** The value that somebody else has saved since the form was opened, if another is typed. */
  elsewhere: string | undefined;
  value: string;
  problem: string | undefined;
  type: (text: string) => void;
  visit: () => void;
}

const TYPES: Readonly<Record<string, string>> = { email: 'email', tel: 'tel', date: 'date', moment: 'datetime-local' };

function Field({ field, isFirst, elsewhere, value, problem, type, visit }: FieldProps) {
  const { name, label, kind = 'text', choices, isRequired, hint, locked } = field;
  const common = {
    name,
    label,
    error: problem,
    disabled: locked !== undefined,
    onBlur: visit,
    description: elsewhere ?? locked ?? hint,
    'data-autofocus': isFirst || undefined,
    withAsterisk: isRequired === true,
    'aria-required': isRequired === true,
  };
  if (kind === 'choice') {
    return (
      <NativeSelect {...common} value={value} onChange={(event) => type(event.currentTarget.value)}>
        {(choices ?? []).map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </NativeSelect>
    );
  }
  return (
    <TextInput
      {...common}
      type={TYPES[kind] ?? 'text'}
      value={value}
      placeholder={field.placeholder}
      onChange={(event) => type(event.currentTarget.value)}
      // Selects the text, so that typing replaces it as in other fields reached by keyboard.
      onFocus={(event) => event.currentTarget.select()}
      {...(kind === 'money' ? { inputMode: 'decimal', leftSection: '₹' } : {})}
      {...(kind === 'whole' ? { inputMode: 'numeric' } : {})}
      autoComplete="off"
      dir="auto"
    />
  );
}
