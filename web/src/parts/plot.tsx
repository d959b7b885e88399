import { formatMonth } from '../format.ts';
import bars from './bar.module.css';
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
