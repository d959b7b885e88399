import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Money, moneyIn } from '../format.ts';
import { useGet } from './queries.ts';

const MoneyContext = createContext<Money>(moneyIn('INR'));

/** Returns the formats of amounts in the currency of the company that is shown. */
export function useMoney(): Money {
  return useContext(MoneyContext);
}

/** An amount in the currency of the company that is shown. */
export function Amount({ of }: { of: string }) {
  return useMoney().formatMoney(of);
}

interface MoneyInProps {
  /** Undefined: that of the amounts around it. */
  currency: string | null | undefined;
  children: ReactNode;
}

/** Shows the amounts within it in a currency. */
export function MoneyIn({ currency, children }: MoneyInProps) {
  const around = useMoney();
  const money = useMemo(() => (currency ? moneyIn(currency) : around), [currency, around]);
  return <MoneyContext value={money}>{children}</MoneyContext>;
}

/** Shows the amounts within it in the currency of a company. */
export function MoneyOf({ companyId, children }: { companyId: string; children: ReactNode }) {
  const { data } = useGet('/api/companies/get', { id: companyId });
  return <MoneyIn currency={data?.data.currency}>{children}</MoneyIn>;
}
