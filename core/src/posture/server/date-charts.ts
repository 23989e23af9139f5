import type { Severity } from '@breakwater/sdk';
import { sql } from 'kysely';
import {
  allOf,
  cellConditions,
  countedCells,
  type FindingsRequest,
  needsRows,
  type ResolvedFilter,
  readSlaRules,
  resolveFilter,
  rowConditionsOf,
  setPlannerHints,
} from '../../findings/server/index.ts';
import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import { ageSpans, IN_TIME, MEAN_DAYS, OVERDUE } from '../model/backlog.ts';
import {
  type ChartPeriod,
  chartSpans,
  chosenOf,
  type FindingFilters,
  foundWithin,
  type Span,
} from '../model/charts.ts';
import { chartBySeverity, type Label, type LabelChart, RANKS, type ReadChart, sumOf } from './chart-of-labels.ts';
import { BY_SEVERITY_ALONE, type CellCount, countByCell } from './count-by-cell.ts';

interface FoundCount {
  /** 4 critical to 0 informational. */
  severity: number;
  /** 0 before the first start, else the number of the span that begins with it. */
  span: number;
  count: number;
}

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

/** Spans, oldest first, each from its start to the day before the next; the counts name them by number. */
const spansChart = (
  filters: FindingFilters,
  spans: readonly (Span & { label: string; span: number })[],
  counts: readonly FoundCount[],
  total: number,
): LabelChart => {
  const labels = spans.map(
    ({ label, span, ...days }): Label => ({ text: label, value: String(span), filters: foundWithin(filters, days) }),
  );
  const bySpan = counts.map(({ span, ...of }) => ({ ...of, value: String(span) }));
  return chartBySeverity(labels, bySpan, total);
};

/**
 * Findings of a filter by severity and span of the day on which they were first imported here; `starts` are the first days of the spans
 * (UTC), ascending. `since`: nothing older. Reads findings_by_first_seen.
 */
const countFound = async (
  db: Db,
  request: FindingsRequest,
  { starts, since }: { starts: readonly string[]; since?: string | undefined },
): Promise<FoundCount[]> => {
  const filter = await resolveFilter(db, request);
  if (filter.isEmpty) return [];
  const { clientId } = filter.viewer;
  await setPlannerHints(db, 'free');
  const from = since === undefined ? [] : [sql<boolean>`f.first_seen >= ${since}::date::timestamp at time zone 'UTC'`];
  // By cell and day first, which the index has: placing a day in a span costs more than adding it up.
  const { rows } = await sql<FoundCount>`
    select severity, width_bucket(day, ${[...starts]}::date[]) as span, sum(count)::bigint as count
    from (
      select k.severity, n.day, sum(n.count) as count
      from (
        select f.cell, (f.first_seen at time zone 'UTC')::date as day, count(*) as count
        from findings f
        where f.client_id = ${clientId} and ${allOf([...from, ...rowConditionsOf(filter)])}
        group by 1, 2
      ) n
      join ${countedCells(clientId)} on c.client_id = ${clientId} and c.cell = n.cell
      where ${allOf(cellConditions(filter))}
      group by 1, 2
    ) days
    group by 1, 2`.execute(db);
  return rows;
};

/** Findings of a request by severity, from the rollups where they can tell. */
const countSeverities = async (db: Db, request: FindingsRequest): Promise<CellCount[]> => {
  const filter = await resolveFilter(db, request);
  await setPlannerHints(db, needsRows(filter) ? 'free' : 'rollups');
  const counts = filter.isEmpty ? [] : await countByCell(db, { filter, by: BY_SEVERITY_ALONE });
  await setPlannerHints(db, 'free');
  return counts;
};

/** Findings by severity and the span in which they were first imported here. The label is the last day of the span. */
export const readFoundChart = async (db: Db, request: FindingsRequest, period: ChartPeriod): Promise<LabelChart> => {
  const spans = chartSpans(period, new Date());
  const starts = spans.map(({ first }) => first);
  const counts = await countFound(db, request, { starts, since: starts[0] });
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
    sumOf(await countSeverities(db, request)),
  );
};

/** Findings by severity and the days since they were first found here, youngest first. */
const readBacklogAgeChart = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const oldestFirst = ageSpans(today()).reverse();
  const starts = oldestFirst.flatMap(({ first }) => first ?? []);
  const counts = await countFound(db, request, { starts });
  const spans = oldestFirst.map((span, index) => ({ ...span, span: index })).reverse();
  return spansChart(request.filters, spans, counts, sumOf(counts));
};

/** A severity with the days that it has. */
const withDays = (name: Severity, days: number | null): string => (days === null ? name : `${name}, ${days} d`);

/** The series of the chart of due dates, and what the list calls them. */
const DUE_SERIES = [
  { name: msg('Overdue'), states: OVERDUE },
  { name: msg('Within target'), states: IN_TIME },
];

/** Open findings past their due date and those in time, for the severities that have one: by the rules of the organisation, as the list says it. */
const readOverdueChart = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const rules = await readSlaRules(db, request.viewer.clientId);
  const due = RANKS.flatMap(({ name, rank }) => {
    const days = rules[name];
    return days === null ? [] : [{ name, rank, days }];
  });
  const series: LabelChart['series'] = [];
  const segments: LabelChart['segments'] = [];
  for (const { name, states } of DUE_SERIES) {
    const sla = chosenOf(states, request.filters.sla).flatMap((one) => states.find((state) => state === one) ?? []);
    const counts =
      sla.length === 0 ? [] : await countSeverities(db, { ...request, filters: { ...request.filters, sla } });
    const data = due.map(({ rank }) => sumOf(counts.filter(({ severity }) => severity === rank)));
    series.push({ name, data });
    segments.push(data.map((count, index) => (count === 0 ? null : { sla, ...severityFilter(due[index]?.name) })));
  }
  return {
    series,
    labels: due.map(({ name, days }) => withDays(name, days)),
    segments,
    total: sumOf(await countSeverities(db, request)),
  };
};

const severityFilter = (severity: Severity | undefined): FindingFilters =>
  severity === undefined ? {} : { severity: [severity] };

/** Mean days to close by severity, rounded to a tenth, with the number of closed findings behind it. */
const readTimeToFixChart = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const filters: FindingFilters = { ...request.filters, status: ['mitigated'] };
  const filter = await resolveFilter(db, { ...request, filters });
  const counts = await countSeverities(db, { ...request, filters });
  const rules = await readSlaRules(db, filter.viewer.clientId);
  const times = filter.isEmpty ? [] : await readTimeToFix(db, filter);
  const fixed = RANKS.map(({ rank }) => sumOf(counts.filter(({ severity }) => severity === rank)));
  const { fixed_gt } = request.filters;
  const span: FindingFilters = fixed_gt === undefined ? {} : { fixed_gt };
  const days = RANKS.map(({ rank }) => times.find(({ severity }) => severity === rank)?.days ?? 0);
  return {
    series: [
      { name: MEAN_DAYS, data: days.map((mean) => Math.round(mean * 10) / 10) },
      { name: msg('Fixed'), data: fixed },
    ],
    labels: RANKS.map(({ name }) => withDays(name, rules[name])),
    segments: [
      RANKS.map(() => null),
      RANKS.map(({ name }, index) =>
        fixed[index] === 0 ? null : { status: ['mitigated'], severity: [name], ...span },
      ),
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
