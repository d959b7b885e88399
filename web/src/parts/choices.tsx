import { Checkbox, Fieldset, Stack, Text } from '@mantine/core';

interface ChoicesProps<Value extends string> {
  title: string;
  hint?: string;
  /** The names of the values that can be chosen. */
  names: Readonly<Partial<Record<Value, string>>>;
  chosen: readonly Value[];
  choose: (chosen: readonly Value[]) => void;
}

/** Multiple choice among a few values. */
export function Choices<Value extends string>({ title, hint, names, chosen, choose }: ChoicesProps<Value>) {
  const values = Object.keys(names) as Value[];
  return (
    <Fieldset legend={title}>
      <Stack gap="xs">
        {hint !== undefined && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
        {values.map((value) => (
          <Checkbox
            key={value}
            label={names[value]}
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
