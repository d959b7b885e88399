import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import type { FormEvent, MouseEvent } from 'react';
import type { ProfileFieldName } from '../../../src/entities/user.ts';
import type { OwnProfile } from '../session/session.tsx';
import { profileTexts as words } from '../texts.ts';
import classes from './profile.module.css';
import { useProfileForm } from './use-profile-form.ts';

const COLOURS = { saved: 'green', conflict: 'yellow', failed: 'red' } as const;
const COMPLETIONS: Partial<Record<ProfileFieldName, string>> = {
  firstName: 'given-name',
  lastName: 'family-name',
  phone: 'tel',
  dateOfBirth: 'bday',
  addressLine1: 'address-line1',
  addressLine2: 'address-line2',
  pincode: 'postal-code',
};

/** Keeps the focus: the blur would show a problem at the field, and move the button from under the pointer. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** The form of the fields that users may change on their own profile. */
export function ProfileForm({ own }: { own: OwnProfile }) {
  const form = useProfileForm(own);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = form.save();
    const box = wrong && event.currentTarget.elements.namedItem(wrong);
    if (box instanceof HTMLElement) box.focus();
  };
  const field = (name: ProfileFieldName) => (
    <TextInput
      key={name}
      name={name}
      type={name === 'dateOfBirth' ? 'date' : name === 'phone' ? 'tel' : 'text'}
      label={words.fields[name]}
      placeholder={name === 'addressLine2' ? words.optional : undefined}
      value={form.valueOf(name)}
      error={form.problemOf(name)}
      description={form.noteOf(name)}
      autoComplete={COMPLETIONS[name] ?? 'off'}
      dir="auto"
      onChange={(event) => form.type(name, event.currentTarget.value)}
      onBlur={() => form.visit(name)}
    />
  );
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate aria-label={words.yours}>
      <Title order={2} size="h4" mb="md">
        {words.yours}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        {(['firstName', 'lastName', 'phone', 'dateOfBirth', 'gender', 'pincode'] as const).map(field)}
      </SimpleGrid>
      <div className={classes.address}>{(['addressLine1', 'addressLine2'] as const).map(field)}</div>
      {/* Sticky, so that the outcome is visible next to the buttons. */}
      <Stack mt="md" gap="sm" className={form.isDirty || form.outcome ? classes.waiting : undefined}>
        <div aria-live="polite">
          {form.outcome && (
            <Alert color={COLOURS[form.outcome.kind]} data-testid="outcome">
              {form.outcome.text}
            </Alert>
          )}
        </div>
        <Group>
          <Button type="submit" loading={form.isSaving} disabled={!form.isDirty} onMouseDown={keepFocus}>
            {words.save}
          </Button>
          <Button
            variant="default"
            onClick={form.discard}
            onMouseDown={keepFocus}
            disabled={!form.isDirty || form.isSaving}
          >
            {words.discard}
          </Button>
          {form.isDirty && (
            <Text size="sm" fw={600} role="status">
              {words.unsaved(form.changes)}
            </Text>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
