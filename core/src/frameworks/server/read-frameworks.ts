import { POSTURE_CHECKS, SEVERITIES } from '@breakwater/sdk';
import type { Viewer } from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { POSTURE_LABELS } from '../../platform/model/posture-checks.ts';
import type { Db } from '../../platform/server/database.ts';
import type { ReportToolSource } from '../../platform/server/report-tool-source.ts';
import {
  type Control,
  type ControlMatch,
  controlKey,
  type Framework,
  type Frameworks,
  loadFrameworks,
} from '../../prioritisation/server/index.ts';
import type { FrameworkControl, FrameworkDetail, FrameworkSummary } from '../api/routes.ts';
import { controlStateOf, isNamed } from '../model/control-state.ts';
import { type ControlCount, countByControl } from './count-by-control.ts';
import { type Evidence, readEvidence } from './evidence.ts';

export interface FrameworkDeps {
  tools: ReportToolSource;
  /** Regulations that an organisation says it is under, as it wrote them. */
  regulations: (db: Db, clientId: string) => Promise<string[]>;
}

type Counts = readonly ControlCount[];

const sumOf = (counts: Counts, field: 'open' | 'accepted_risk' | 'false_positive' | 'mitigated' | 'total'): number =>
  counts.reduce((sum, count) => sum + count[field], 0);

const bySeverity = (counts: Counts): FrameworkSummary['counts'] => {
  const openOf = (severity: (typeof SEVERITIES)[number]): number =>
    sumOf(
      counts.filter((count) => count.severity === SEVERITIES.length - 1 - SEVERITIES.indexOf(severity)),
      'open',
    );
  return {
    critical: openOf('critical'),
    high: openOf('high'),
    medium: openOf('medium'),
    low: openOf('low'),
    informational: openOf('informational'),
  };
};

const grouped = (counts: Counts): ((key: string) => Counts) => {
  const groups = Map.groupBy(counts, ({ key }) => key);
  return (key) => groups.get(key) ?? [];
};

const coverOf = ({ rules, checks = [] }: Control) => ({
  families: [...new Set(rules.flatMap(({ families }) => families))],
  checks: [...checks],
});

const newestOf = (dates: readonly (Date | undefined)[]): string | null => {
  const times = dates.flatMap((date) => date?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
};

const controlOf = (framework: Framework, control: Control, evidence: Evidence, counts: Counts): FrameworkControl => {
  const { families, checks } = coverOf(control);
  const seen = [
    ...families.map((family) => evidence.families.get(family)?.lastSeen),
    ...checks.map((check) => evidence.settings.get(check)?.readAt),
  ];
  return {
    id: control.id,
    text: control.text,
    filter: controlKey(framework.id, control.id),
    families,
    checks,
    state: controlStateOf(
      seen.map((date) => date !== undefined),
      sumOf(counts, 'total'),
    ),
    last_seen: newestOf(seen),
    counts: bySeverity(counts),
    decided: {
      accepted_risk: sumOf(counts, 'accepted_risk'),
      false_positive: sumOf(counts, 'false_positive'),
      mitigated: sumOf(counts, 'mitigated'),
    },
  };
};

interface Reading {
  evidence: Evidence;
  countsOf: (key: string) => Counts;
  regulations: readonly string[];
}

const summaryOf = (framework: Framework, reading: Reading, controls: readonly FrameworkControl[]): FrameworkSummary => {
  const { id, name, edition, publisher, source, date } = framework;
  const inState = (state: FrameworkControl['state']) => controls.filter((control) => control.state === state).length;
  return {
    ...{ name, edition, publisher, source, date, filter: id },
    is_named: isNamed(framework, reading.regulations),
    counts: bySeverity(reading.countsOf(id)),
    states: {
      assessed: inState('assessed'),
      partly_assessed: inState('partly_assessed'),
      not_assessed: inState('not_assessed'),
    },
  };
};

/** The settings that bear on controls, as keys that the count answers beside the controls' own. */
const settingMatches = (checks: readonly (typeof POSTURE_CHECKS)[number][]): ControlMatch[] =>
  checks.map((check) => ({ key: `setting:${check}`, families: [], weaknesses: [], checks: [check] }));

const matchesOf = (frameworks: Frameworks, framework: Framework): ControlMatch[] =>
  [framework.id, ...framework.controls.map(({ id }) => controlKey(framework.id, id))].flatMap(
    (key) => frameworks.match(key) ?? [],
  );

const read = async (
  db: Db,
  { viewer, deps, matches }: { viewer: Viewer; deps: FrameworkDeps; matches: readonly ControlMatch[] },
): Promise<Reading> => ({
  evidence: await readEvidence(db, { viewer, tools: deps.tools }),
  countsOf: grouped(await countByControl(db, { viewer, matches })),
  regulations: await deps.regulations(db, viewer.clientId),
});

/** All frameworks, those that the organisation names first. */
export const readFrameworks = async (
  db: Db,
  { viewer, deps }: { viewer: Viewer; deps: FrameworkDeps },
): Promise<{ _id: string; attributes: FrameworkSummary }[]> => {
  const frameworks = await loadFrameworks();
  const matches = frameworks.list.flatMap((framework) => matchesOf(frameworks, framework));
  const reading = await read(db, { viewer, deps, matches });
  const rows = frameworks.list.map((framework) => {
    const controls = framework.controls.map((control) =>
      controlOf(framework, control, reading.evidence, reading.countsOf(controlKey(framework.id, control.id))),
    );
    return { _id: framework.id, attributes: summaryOf(framework, reading, controls) };
  });
  const isFirst = (row: (typeof rows)[number]): number => (row.attributes.is_named ? 0 : 1);
  return rows.sort((a, b) => isFirst(a) - isFirst(b));
};

/** One framework with its controls and the evidence. @throws framework_not_found */
export const readFramework = async (
  db: Db,
  { viewer, deps, id }: { viewer: Viewer; deps: FrameworkDeps; id: string },
): Promise<{ _id: string; attributes: FrameworkDetail }> => {
  const frameworks = await loadFrameworks();
  const framework = frameworks.list.find((one) => one.id === id);
  if (framework === undefined) throw new AppError('framework_not_found');
  const covers = framework.controls.map(coverOf);
  const checks = POSTURE_CHECKS.filter((check) => covers.some((cover) => cover.checks.includes(check)));
  const matches = [...matchesOf(frameworks, framework), ...settingMatches(checks)];
  const reading = await read(db, { viewer, deps, matches });
  const { evidence, countsOf } = reading;
  const controls = framework.controls.map((control) =>
    controlOf(framework, control, evidence, countsOf(controlKey(framework.id, control.id))),
  );
  const families = [...new Set(covers.flatMap((cover) => cover.families))].map((family) => {
    const known = evidence.families.get(family);
    return { family, tools: known?.tools ?? [], last_seen: known?.lastSeen.toISOString() ?? null };
  });
  const settings = checks.map((check) => {
    const known = evidence.settings.get(check);
    return {
      ...{ check, label: POSTURE_LABELS[check] },
      ...{ ok: known?.ok ?? 0, at_risk: known?.at_risk ?? 0, unknown: known?.unknown ?? 0 },
      last_seen: known?.readAt.toISOString() ?? null,
      open: sumOf(countsOf(`setting:${check}`), 'open'),
    };
  });
  return { _id: id, attributes: { ...summaryOf(framework, reading, controls), controls, families, settings } };
};
