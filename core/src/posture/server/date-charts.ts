import { type RawBuilder, sql } from 'kysely';
import {
  allOf,
  cellConditions,
  countedCells,
  type FindingsRequest,
  isCountedByDay,
  isNarrowed,
  needsRows,
  type ResolvedFilter,
  resolveFilter,
  rowConditionsOf,
  setPlannerHints,
} from '../../findings/server/index.ts';
import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import { ageSpans, lastOverdueDay, SEVERITIES_WITH_TARGET, TARGET_DAYS } from '../model/backlog.ts';
import { type ChartPeriod, chartSpans, datesWithin, daysBefore, type FindingFilters } from '../model/charts.ts';
import { chartBySeverity, type Label, type LabelChart, RANKS, type ReadChart, sumOf } from './chart-of-labels.ts';
import { BY_SEVERITY_ALONE, countByCell } from './count-by-cell.ts';

export interface DateCount {
  /** 4 critical to 0 informational. */
  severity: number;
  /** 0 before the first start, else the number of the span that begins with it. */
  span: number;
  count: number;
}

/** `severity`, `day`, `count`, from the smallest rollup that knows all the filter asks for. */
const countsOf = (filter: ResolvedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const conditions = allOf(cellConditions(filter));
  if (isNarrowed(filter)) {
    return sql`
      select k.severity, (f.date at time zone 'UTC')::date as day, 1 as count
      from findings f join ${countedCells(clientId)} on c.client_id = ${clientId} and c.cell = f.cell
      where f.client_id = ${clientId} and ${conditions} and ${allOf(rowConditionsOf(filter))}`;
  }
  if (isCountedByDay(filter)) {
    return sql`
      select k.severity, k.day, k.count
      from aggregate_days k join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = k.disposition
      where k.client_id = ${clientId} and k.field = 'found' and ${conditions}`;
  }
  return sql`
    select k.severity, n.day, n.count
    from aggregate_dates n join ${countedCells(clientId)} on c.client_id = ${clientId} and c.cell = n.cell
    where n.client_id = ${clientId} and c.count > 0 and ${conditions}`;
};

/**
 * Findings of a filter by severity and span of their date; `starts` are the first days of the spans (UTC), ascending. Reads
 * aggregate_days or aggregate_dates by primary key; rows where a filter is about definitions, files, ranges or free text.
 */
export const countByDate = async (
  db: Db,
  request: { filter: ResolvedFilter; starts: readonly string[] },
): Promise<DateCount[]> => {
  // By day first: placing a day in a span costs more than adding it up.
  const counted = await sql<DateCount>`
    select severity, width_bucket(day, ${[...request.starts]}::date[]) as span, sum(count)::bigint as count
    from (select severity, day, sum(count) as count from (${countsOf(request.filter)}) each group by 1, 2) days
    group by 1, 2`.execute(db);
  return counted.rows;
};

export interface TimeToFix {
  /** 4 critical to 0 informational. */
  severity: number;
  /** Mean of the days from first seen to closed. */
  days: number;
}

/** How long it took to close the findings of a filter, by severity. Reads findings_closed. */
export const readTimeToFix = async (db: Db, filter: ResolvedFilter): Promise<TimeToFix[]> => {
  const { clientId } = filter.viewer;
  const read = await sql<TimeToFix>`
    select f.severity, avg(extract(epoch from f.closed_at - f.first_seen) / 86400)::float8 as days
    from findings f
    where f.client_id = ${clientId} and f.status = 'mitigated' and f.closed_at is not null
      and f.cell in (select c.cell from ${countedCells(clientId)}
        where c.client_id = ${clientId} and c.count > 0 and ${allOf(cellConditions(filter))})
      and ${allOf(rowConditionsOf(filter))}
    group by f.severity`.execute(db);
  return read.rows;
};

const today = (): string => new Date().toISOString().slice(0, 10);

const countDates = async (db: Db, request: FindingsRequest, starts: readonly string[]): Promise<DateCount[]> => {
  const filter = await resolveFilter(db, request);
  if (filter.isEmpty) return [];
  // dates are in no rollup of definitions: their findings are read
  await setPlannerHints(db, isNarrowed(filter) ? 'free' : 'rollups');
  const counts = await countByDate(db, { filter, starts });
  await setPlannerHints(db, 'free');
  return counts;
};

/** Spans, oldest first, each from its start to the day before the next; the counts name them by number. */
const spansChart = (
  filters: FindingFilters,
  spans: readonly { label: string; first?: string | undefined; last?: string | undefined; span: number }[],
  counts: readonly DateCount[],
): LabelChart => {
  const labels = spans.map(
    ({ label, span, ...dates }): Label => ({
      text: label,
      value: String(span),
      filters: datesWithin(filters, dates),
    }),
  );
  const bySpan = counts.map(({ span, ...of }) => ({ ...of, value: String(span) }));
  return chartBySeverity(labels, bySpan, sumOf(counts));
};

/** Findings by severity and the span of their date. The label is the last day of the span. */
export const readFoundChart = async (db: Db, request: FindingsRequest, period: ChartPeriod): Promise<LabelChart> => {
  const spans = chartSpans(period, new Date());
  const counts = await countDates(
    db,
    request,
    spans.map(({ first }) => first),
  );
  return spansChart(
    request.filters,
    // What was found after today (a clock that is ahead) is in the last span too: its end stays open.
    spans.map(({ first, last }, index) => ({
      label: last,
      first,
      last: index === spans.length - 1 ? undefined : last,
      span: index + 1,
    })),
    counts,
  );
};

/** Findings by severity and age, youngest first. */
const readBacklogAgeChart = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const oldestFirst = ageSpans(today()).reverse();
  const starts = oldestFirst.flatMap(({ first }) => first ?? []);
  const counts = await countDates(db, request, starts);
  const spans = oldestFirst.map((span, index) => ({ ...span, span: index })).reverse();
  return spansChart(request.filters, spans, counts);
};

/** Findings past their target date and those within, for the severities that have a target. */
const readOverdueChart = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const day = today();
  const lastDays = SEVERITIES_WITH_TARGET.map((name) => lastOverdueDay(day, TARGET_DAYS[name] ?? 0));
  const starts = lastDays.map((last) => daysBefore(last, -1)).reverse();
  const counts = await countDates(db, request, starts);
  const figures = SEVERITIES_WITH_TARGET.map((name, index) => {
    const rank = RANKS.find((one) => one.name === name)?.rank;
    const own = counts.filter(({ severity }) => severity === rank);
    // starts[i] is the first day within the target of the severity that stands i-th from the end
    const firstWithin = starts.length - index;
    const last = lastDays[index] ?? day;
    const dates = [{ last }, { first: daysBefore(last, -1) }];
    return {
      counts: [
        sumOf(own.filter(({ span }) => span < firstWithin)),
        sumOf(own.filter(({ span }) => span >= firstWithin)),
      ],
      filters: dates.map((one): FindingFilters => ({ ...datesWithin(request.filters, one), severity: [name] })),
    };
  });
  const names = [msg('Overdue'), msg('Within target')];
  return {
    series: names.map((name, series) => ({ name, data: figures.map((of) => of.counts[series] ?? 0) })),
    labels: SEVERITIES_WITH_TARGET.map((name) => `${name}, ${TARGET_DAYS[name]} d`),
    segments: names.map((_, series) =>
      figures.map((of) => (of.counts[series] === 0 ? null : (of.filters[series] ?? null))),
    ),
    total: sumOf(counts),
  };
};

/** Mean days to close by severity, rounded to a tenth, with the number of closed findings behind it. */
const readTimeToFixChart = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const filters: FindingFilters = { ...request.filters, status: ['mitigated'] };
  const filter = await resolveFilter(db, { ...request, filters });
  await setPlannerHints(db, needsRows(filter) ? 'free' : 'rollups');
  const counts = filter.isEmpty ? [] : await countByCell(db, { filter, by: BY_SEVERITY_ALONE });
  await setPlannerHints(db, 'free');
  const times = filter.isEmpty ? [] : await readTimeToFix(db, filter);
  const fixed = RANKS.map(({ rank }) => sumOf(counts.filter(({ severity }) => severity === rank)));
  const days = RANKS.map(({ rank }) => times.find(({ severity }) => severity === rank)?.days ?? 0);
  return {
    series: [
      { name: msg('Mean days'), data: days.map((mean) => Math.round(mean * 10) / 10) },
      { name: msg('Fixed'), data: fixed },
    ],
    labels: RANKS.map(({ name }) => name),
    segments: [
      RANKS.map(() => null),
      RANKS.map(({ name }, index) => (fixed[index] === 0 ? null : { status: ['mitigated'], severity: [name] })),
    ],
    total: sumOf(counts),
  };
};

/** The charts without choices that are counted here, by their keys in `api/chart-routes.ts`. */
export const DATE_CHARTS = {
  age: readBacklogAgeChart,
  overdue: readOverdueChart,
  timeToFix: readTimeToFixChart,
} satisfies Readonly<Record<string, ReadChart>>;
