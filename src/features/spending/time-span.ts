import sql, { type Sql } from 'sql-template-tag';
import { selectFields, todayOf } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { company } from '../../entities/company.ts';
import {
  type BudgetSettings,
  budgetPeriodOn,
  type CalendarDate,
  isCalendarDate,
  periodStarts,
} from '../../entities/dates.ts';

/** A time, from its beginning to before its end, each a day of the company or an instant; absent ends are open. */
interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** A time in the days of a company: whole months of which the sums are kept, and what is to be added to them or taken away. */
export interface TimeSpan {
  timeZone: string;
  currency: string | null;
  /** Days where they begin one, otherwise instants; null: open. */
  from: string | null;
  to: string | null;
  /** Ends that are open, or first days of months; null: there are none. */
  months: { from: CalendarDate | null; to: CalendarDate | null } | null;
  rests: readonly { since: string; until: string; sign: 1 | -1 }[];
  /** The first days of the budget periods that it consists of; null: not of whole ones. */
  starts: readonly CalendarDate[] | null;
}

interface Settings extends BudgetSettings {
  timeZone: string;
  currency: string | null;
  today: CalendarDate;
}

/** Returns a time in the days of a company; by default its present budget period. */
export async function timeSpan(db: Reader, companyId: string, { from, to }: TimeRange): Promise<TimeSpan> {
  const [settings] = await db.query<Settings>(sql`
    select ${selectFields(company, ['budgetPeriod', 'fiscalYearStart', 'timeZone', 'currency'])},
           ${todayOf('companies', 'id')}::text as today
      from companies where id = ${companyId}`);
  if (settings === undefined) throw new TypeError(`There is no company ${companyId}`);
  const { timeZone, currency } = settings;
  const present = budgetPeriodOn(settings.today, settings);
  const range = from === undefined && to === undefined ? present : { from, to };
  const [first, last] = await Promise.all([edgeOf(db, range.from, timeZone), edgeOf(db, range.to, timeZone)]);
  const ends = { from: first && (first.day ?? first.at), to: last && (last.day ?? last.at) };
  const starts = first?.day && last?.day ? periodStarts(first.day, last.day, settings) : null;
  return { timeZone, currency, ...ends, ...coverOf(first, last), starts };
}

/** An end of a time: its instant and day, if it begins one, and the beginnings of its month and the next. */
interface Edge {
  at: string;
  day: CalendarDate | null;
  month: CalendarDate;
  monthAt: string;
  next: CalendarDate;
  nextAt: string;
}

async function edgeOf(db: Reader, end: string | undefined, timeZone: string): Promise<Edge | null> {
  if (end === undefined) return null;
  if (isCalendarDate(end) && end.endsWith('-01')) {
    return { at: end, day: end, month: end, monthAt: end, next: end, nextAt: end };
  }
  const local = sql`(at at time zone ${timeZone})`;
  const text = (time: Sql) => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const given = isCalendarDate(end)
    ? sql`${end}::text::timestamp at time zone ${timeZone}`
    : sql`${end}::text::timestamptz`;
  const [edge] = await db.query<Edge>(sql`
    select ${text(sql`at`)} as at, case when ${local} = ${local}::date then ${local}::date::text end as day,
           month::date::text as month, ${text(sql`(month at time zone ${timeZone})`)} as "monthAt",
           next::date::text as next, ${text(sql`(next at time zone ${timeZone})`)} as "nextAt"
      from (select ${given} as at) given, lateral (select date_trunc('month', ${local}) as month) this,
           lateral (select month + interval '1 month' as next) following`);
  return edge ?? null;
}

const millis = (since: string, until: string) => Date.parse(until) - Date.parse(since);

/** Returns the months nearest to the ends, and what lies between; where that is longer than the time itself, the time alone. */
function coverOf(first: Edge | null, last: Edge | null): Pick<TimeSpan, 'months' | 'rests'> {
  const rests: { since: string; until: string; sign: 1 | -1 }[] = [];
  const nearest = (edge: Edge | null, sign: 1 | -1): CalendarDate | null => {
    if (edge === null) return null;
    if (edge.at === edge.monthAt) return edge.month;
    const { at, monthAt, nextAt } = edge;
    if (millis(monthAt, at) < millis(at, nextAt)) {
      rests.push({ since: monthAt, until: at, sign: sign === 1 ? -1 : 1 });
      return edge.month;
    }
    rests.push({ since: at, until: nextAt, sign });
    return edge.next;
  };
  const months = { from: nearest(first, 1), to: nearest(last, -1) };
  if (first && last && rests.length > 0) {
    const whole = { since: first.at, until: last.at, sign: 1 } as const;
    const length = rests.reduce((sum, { since, until }) => sum + millis(since, until), 0);
    if (millis(whole.since, whole.until) <= length) return { months: null, rests: [whole] };
  }
  return { months, rests };
}
