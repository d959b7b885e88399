import { formatMonth } from '../format.ts';
import classes from './plot.module.css';

export interface PlotItem {
  /** The month, in the form `2026-01`. */
  month: string;
  value: number;
  /** The exact figure. */
  text: string;
}

/** A plot of figures by month: a bar each above its month, with the exact figure for pointers and screen readers. */
export function MonthPlot({ label, items }: { label: string; items: readonly PlotItem[] }) {
  const largest = Math.max(...items.map(({ value }) => value), 1);
  const top = items.find(({ value }) => value === largest);
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.top}>{top?.text}</figcaption>
      <ol aria-label={label} className={classes.bars}>
        {items.map(({ month, value, text }) => (
          <li key={month} title={`${formatMonth(month, true)}: ${text}`}>
            <span className={classes.space} aria-hidden>
              <span className={classes.bar} data-bar style={{ height: `${(100 * value) / largest}%` }} />
            </span>
            <span className={classes.month} aria-hidden>
              {formatMonth(month, false)}
            </span>
            <span className={classes.figure}>{`${formatMonth(month, true)}: ${text}`}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
