import { TextInput } from '@mantine/core';
import { readAmount } from '../amounts.ts';
import { amountExamples, separators } from '../format.ts';
import type { TypedState } from '../parts/use-list-state.ts';
import { pageTexts } from '../texts.ts';

const words = pageTexts.policies;

/** A box for an amount to try. It validates only after typing has stopped, as the number may be incomplete before. */
export function AmountBox({ amount, label }: { amount: TypedState; label: string }) {
  const { typed, type, settled } = amount;
  const isWrong = readAmount(typed, separators) === undefined && typed.trim() !== '' && typed.trim() === settled;
  return (
    <TextInput
      label={label}
      placeholder={words.amountHint}
      inputMode="decimal"
      leftSection="₹"
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      error={isWrong ? words.amountWrong(...amountExamples) : undefined}
      autoComplete="off"
      maxLength={24}
      flex="1 1 16rem"
    />
  );
}
