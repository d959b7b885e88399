import { NativeSelect, type NativeSelectProps, TextInput } from '@mantine/core';
import { t } from '../translate.ts';
import { choicesOf } from './choices.ts';
import { PersonBox } from './search-box.tsx';
import { useAddressState } from './use-list-state.ts';

interface FilterProps {
  /** The parameter of the address that keeps the value. */
  name: string;
  label: string;
}

interface ChoiceFilterProps extends FilterProps, Pick<NativeSelectProps, 'w'> {
  choices: Parameters<typeof choicesOf>[0];
  /** The choice that filters nothing. */
  every?: string;
  /** Parameters that belong to the value, and go with it. */
  without?: Readonly<Record<string, string>>;
}

/** A filter of a list by one of several values. */
export function ChoiceFilter({ name, choices, every, without, ...shown }: ChoiceFilterProps) {
  const { value, change } = useAddressState();
  return (
    <NativeSelect
      {...shown}
      data={choicesOf(choices, every ?? t('any', { context: 'filter' }))}
      value={value(name)}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value, ...without })}
    />
  );
}

/** A filter of a list by a day. */
export function DayFilter({ name, label }: FilterProps) {
  const { value, change } = useAddressState();
  return (
    <TextInput
      {...{ type: 'date', label, value: value(name) }}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
}

/** A filter of a list by a person. */
export function PersonFilter({ name, ...shown }: FilterProps & { companyId: string }) {
  const { value, change } = useAddressState();
  return (
    <PersonBox
      {...{ ...shown, placeholder: t('any', { context: 'filter' }), userId: value(name) }}
      choose={(id) => change({ [name]: id })}
    />
  );
}
