import { type KeyboardEvent, useState } from 'react';
import { formatMonth } from '../format.ts';
import { t } from '../translate.ts';
import bars from './bar.module.css';
import classes from './plot.module.css';

export interface PlotItem {
  /** The month, in the form `2026-01`. */
  month: string;
  value: number;
  /** The exact figure. */
  text: string;
  /** Whether the month is not over: its figure still grows. */
  isPartial?: boolean;
}

interface MonthPlotProps {
  label: string;
  items: readonly PlotItem[];
  /** A value to compare with, as a line. */
  line?: { value: number; text: string } | undefined;
}

/** Returns a month with its figure in words. */
function textOf({ month, text, isPartial }: PlotItem): string {
  const whole = `${formatMonth(month, true)}: ${text}`;
  return isPartial ? t('{figure} so far', { figure: whole }) : whole;
}

/** A plot of figures by month: a bar each above its month. The exact figure is shown of the month that is pressed, pointed at, or moved to by arrow keys; otherwise the largest. */
export function MonthPlot({ label, items, line }: MonthPlotProps) {
  const [active, setActive] = useState<string>();
  const largest = Math.max(...items.map(({ value }) => value), line?.value ?? 0, 1);
  const top = items.reduce<PlotItem | undefined>(
    (most, one) => (most && most.value >= one.value ? most : one),
    undefined,
  );
  const shown = items.find(({ month }) => month === active) ?? top;
  const stop = active ?? items.at(-1)?.month;
  const move = ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    const steps = { ArrowRight: currentTarget.nextElementSibling, ArrowLeft: currentTarget.previousElementSibling };
    const next = steps[key as keyof typeof steps];
    if (next instanceof HTMLElement) next.focus();
  };
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.top}>
        <span>{shown && textOf(shown)}</span>
        {line && <span>{line.text}</span>}
      </figcaption>
      <ol aria-label={label} className={classes.bars}>
        {items.map((item) => {
          const { month, value, isPartial } = item;
          return (
            <li
              key={month}
              tabIndex={month === stop ? 0 : -1}
              onFocus={() => setActive(month)}
              onPointerEnter={() => setActive(month)}
              onKeyDown={move}
              data-active={month === active || undefined}
              data-partial={isPartial}
            >
              <span className={classes.space} aria-hidden>
                {line && (
                  <span className={classes.budget} style={{ insetBlockEnd: `${(100 * line.value) / largest}%` }} />
                )}
                <span className={classes.bar} data-bar style={{ height: `${(100 * value) / largest}%` }} />
              </span>
              <span className={classes.month} aria-hidden>
                {formatMonth(month, false)}
              </span>
              <span className={classes.figure}>{textOf(item)}</span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

/** A decorative bar, next to the exact figure. @param share of the full width, from 0 to 1 @param mark where it should have ended */
export function Bar({ share, mark }: { share: number; mark?: number }) {
  return (
    <svg className={bars.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className={bars.ground} width="100" height="8" />
      <rect className={mark === undefined ? bars.fill : bars.over} width={share * 100} height="8" />
      {mark !== undefined && <rect className={bars.mark} x={Math.min(mark * 100, 99)} width="1" height="8" />}
    </svg>
  );
}
