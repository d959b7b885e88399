import {
  Checkbox,
  Fieldset,
  FileInput,
  MultiSelect,
  NativeSelect,
  type NativeSelectProps,
  Stack,
  TextInput,
} from '@mantine/core';
import { useCountries, useStates } from '../pages/use-geography.ts';
import { useMoney } from '../session/money.tsx';
import { t } from '../translate.ts';
import { choicesOf } from './choices.ts';
import type { FormField } from './form-fields.ts';
import { PeopleBoxes, PersonBox } from './search-box.tsx';
import { Dimmed } from './text.tsx';

interface FieldProps {
  field: FormField;
  /** Whether it gets the focus when the dialog opens. */
  isFirst: boolean;
  /** The text about a value that somebody else has saved since the form was opened. */
  elsewhere: string | undefined;
  /** The country whose states can be chosen. */
  country?: string | undefined;
  value: string;
  problem: string | undefined;
  type: (text: string) => void;
  visit: () => void;
}

const TYPES: Readonly<Record<string, string>> = { email: 'email', tel: 'tel', date: 'date', moment: 'datetime-local' };

/** A field of a form with its label, its problem and its hint. */
export function Field({ field, isFirst, elsewhere, country, value, problem, type, visit }: FieldProps) {
  const { sign } = useMoney();
  const { name, label, choices, isRequired, hint, locked, kind = choices ? 'choice' : 'text' } = field;
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
    ...(field.isWide ? { style: { gridColumn: '1 / -1' } } : {}),
  };
  if (kind === 'person') {
    return (
      <PersonBox
        companyId={field.companyId ?? ''}
        label={label}
        placeholder={field.placeholder ?? '–'}
        userId={value}
        choose={type}
        error={problem}
        description={common.description}
      />
    );
  }
  if (kind === 'people') {
    return (
      <Stack gap="xs">
        <PeopleBoxes
          companyId={field.companyId ?? ''}
          label={label}
          userIds={value.split(' ').filter(Boolean)}
          choose={(ids) => type(ids.join(' '))}
          error={problem}
          description={common.description}
        />
      </Stack>
    );
  }
  if (kind === 'checkbox') {
    return (
      <Checkbox
        {...{ name, label, error: problem, disabled: common.disabled, description: common.description }}
        checked={value === 'true'}
        onChange={(event) => type(String(event.currentTarget.checked))}
      />
    );
  }
  if (kind === 'choices') {
    return (
      <MultiSelect
        {...common}
        data={[...(choices ?? [])]}
        value={value.split(' ').filter(Boolean)}
        onChange={(chosen) => type(chosen.join(' '))}
        placeholder={value === '' ? field.placeholder : undefined}
        clearButtonProps={{ 'aria-label': t('any') }}
        searchable
        clearable
      />
    );
  }
  if (kind === 'image') {
    return (
      <FileInput
        {...common}
        accept="image/png,image/svg+xml"
        placeholder={t('A PNG or SVG of at most 24 kB')}
        leftSection={value === '' ? undefined : <img src={value} alt="" width={24} height={24} />}
        value={value === '' ? null : new File([], t('Image'))}
        onChange={(file) => (file ? void readImage(file).then(type) : type(''))}
        clearButtonProps={{ 'aria-label': t('Remove') }}
        clearable
      />
    );
  }
  if (kind === 'state') return <StateField {...common} {...{ country, value, type }} />;
  if (kind === 'choice') {
    return (
      <NativeSelect
        {...{ ...common, value, data: [...(choices ?? [])] }}
        onChange={(event) => type(event.currentTarget.value)}
      />
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
      {...(kind === 'money' ? { inputMode: 'decimal', leftSection: field.isPlain ? undefined : sign } : {})}
      {...(kind === 'whole' ? { inputMode: 'numeric' } : {})}
      autoComplete={field.autoComplete ?? 'off'}
      dir="auto"
    />
  );
}

interface StateFieldProps extends Omit<NativeSelectProps, 'data' | 'onChange'>, Pick<FieldProps, 'country' | 'type'> {}

/** A choice among the states of a country. */
function StateField({ country = '', type, ...common }: StateFieldProps) {
  const { id } = useCountries(false).data?.find(({ iso2 }) => iso2 === country.trim().toUpperCase()) ?? {};
  const states = (useStates(id).data ?? []).map((state) => ({ id: String(state.id), name: state.name }));
  return (
    <NativeSelect {...common} data={choicesOf(states, '–')} onChange={(event) => type(event.currentTarget.value)} />
  );
}

/** Returns a file as a `data:` address. */
function readImage(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

interface ChoicesProps<Value extends string> {
  title: string;
  hint?: string;
  /** The names of the values that can be chosen. */
  names: Readonly<Partial<Record<Value, string>>>;
  /** What the values mean. */
  meanings?: Readonly<Partial<Record<Value, string>>>;
  chosen: readonly Value[];
  choose: (chosen: readonly Value[]) => void;
}

/** Multiple choice among a few values. */
export function Choices<Value extends string>({ title, hint, names, meanings, chosen, choose }: ChoicesProps<Value>) {
  const values = Object.keys(names) as Value[];
  return (
    <Fieldset legend={title}>
      <Stack gap="xs">
        {hint !== undefined && <Dimmed>{hint}</Dimmed>}
        {values.map((value) => (
          <Checkbox
            key={value}
            label={names[value]}
            description={meanings?.[value]}
            checked={chosen.includes(value)}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              choose(values.filter((one) => (one === value ? isOn : chosen.includes(one))));
            }}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}
