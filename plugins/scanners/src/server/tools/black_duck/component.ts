import type { Component, NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { defined, fields, label } from '../../lib/read.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import { cell, packageOf } from './origin.ts';
import type { ComponentRow } from './schema.ts';

type Row = Record<string, unknown>;

/** A row of `components.csv`: the component, and a finding when its licence is a risk or it violates a policy. */
export function* componentRecords(record: ComponentRow): Generator<ReportRecord> {
  const row = fields(record);
  const known = packageOf(row);
  if (known === undefined) return;
  const licenses = licensesOf(row);
  const keys = [cell(row, 'component id'), cell(row, 'version id'), cell(row, 'origin id')];
  const component: Component = defined({
    kind: 'component' as const,
    ref: keys.filter((key) => key !== undefined).join('/') || `${known.name}@${known.version ?? ''}`,
    name: known.name,
    version: known.version,
    licenses: licenses.length === 0 ? undefined : licenses,
  });
  yield component;
  const finding = riskFinding(row, component, known.ecosystem);
  if (finding !== undefined) yield finding;
}

function licensesOf(row: Row): string[] {
  const names = cell(row, 'license names', 'license name') ?? '';
  return [...new Set(names.split(/\s*;\s*|\s*,\s*(?=[A-Z(])/).map(label))].filter((name) => name !== undefined);
}

function riskFinding(row: Row, component: Component, ecosystem: string | undefined): NormalizedFinding | undefined {
  const risk = cell(row, 'license risk');
  const isViolation = /^in.violation$/i.test(cell(row, 'component policy status', 'policy status') ?? '');
  const isRisk = /^(?:critical|high|medium|low)$/i.test(risk ?? '');
  if (!isViolation && !isRisk) return undefined;
  const licenses = component.licenses?.join(', ') ?? 'unknown licence';
  const { name, version } = component;
  const families = cell(row, 'license families');
  const what = isViolation ? 'Policy violation' : 'License risk';
  return defined({
    kind: 'finding' as const,
    ruleId: isViolation ? 'policy-violation' : 'license-risk',
    title: oneLine(`${what}: ${name} (${licenses})`),
    type: 'License' as const,
    severity: isViolation ? ('high' as const) : (severityFromWord(risk) ?? ('low' as const)),
    nativeSeverity: isRisk ? risk : undefined,
    description: paragraphs(
      families === undefined ? undefined : `Licence families: ${families}`,
      cell(row, 'usage') === undefined ? undefined : `Usage: ${cell(row, 'usage')}`,
    ),
    component: defined({ name, version, ecosystem }),
    policy: isViolation ? { name: 'Black Duck policy' } : undefined,
  });
}
