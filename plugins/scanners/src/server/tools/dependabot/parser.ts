import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { headText, readReport } from '../../lib/input/decode.ts';
import { readJsonReport, readRecords, type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { fields, label } from '../../lib/values/read.ts';
import { type AlertReader, looseAlerts, repositoryOf, said, webhookAlert } from '../github/parser.ts';
import { alertFinding, edgeCheck, graphAlertCheck, restAlertCheck } from './alert.ts';

/** `RepositoryVulnerabilityAlertConnection`; a query takes its nodes or its edges. */
const ALERTS: JsonShape = { nodes: 'records', edges: 'records' };
const REPOSITORY: JsonShape = { name: 'value', nameWithOwner: 'value', vulnerabilityAlerts: { object: ALERTS } };
const REPOSITORIES: JsonShape = { nodes: { each: REPOSITORY }, edges: { each: { node: { object: REPOSITORY } } } };
const OWNER: JsonShape = { repositories: { object: REPOSITORIES }, repository: { object: REPOSITORY } };
const DATA: JsonShape = {
  repository: { object: REPOSITORY },
  search: { object: REPOSITORIES },
  organization: { object: OWNER },
  repositoryOwner: { object: OWNER },
  user: { object: OWNER },
  viewer: { object: OWNER },
  nodes: { each: REPOSITORY },
  node: { object: REPOSITORY },
};
const SHAPE: JsonShape = { data: { object: DATA }, vulnerabilityAlerts: { object: ALERTS }, alert: 'value' };
const NAME = 'Dependabot';

function recogniseDependabot(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'security_vulnerability') || hasKeys(sketch, 'dependency', 'security_advisory')) return 0.98;
  if (sketch.root === 'other' || sketch.root === 'null') return 0;
  const isQuery = /"vulnerabilityAlerts"\s*:\s*\{/.test(headText(head).toString('utf8'));
  if (isQuery) return hasKeys(sketch, 'data') ? 0.97 : 0.9;
  return hasKeys(sketch, 'securityVulnerability') ? 0.9 : 0;
}

/** @throws ReportError */
async function* parseDependabot(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  yield* readJsonReport(bytes, { name: NAME, shape: SHAPE }, (json, tally) => readAlerts(json, tally, options.signal));
}

function* readAlerts(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  yield { kind: 'report', toolName: NAME };
  const reader: AlertReader = { name: NAME, tally, signal, read: (alert) => findingOf(alert, undefined) };
  for (const document of json.documents) {
    const found = [...connections(document, undefined)];
    if (found.length === 0 && !document.values.has('alert'))
      throw wrongTool(NAME, undefined, 'it has no “vulnerabilityAlerts”');
    for (const connection of found) yield* connectionFindings(json, connection, tally, signal);
    yield* webhookAlert(document, reader);
  }
  yield* looseAlerts(json, reader);
}

interface Connection {
  node: JsonNode;
  /** Name of the repository, where the query asked for several. */
  repository: string | undefined;
}

/** Alerts of every repository in the answer. */
function* connections(node: JsonNode, list: string | undefined): Generator<Connection> {
  for (const [key, children] of node.children) {
    for (const child of children) {
      const repository = list === undefined ? undefined : repositoryOf(Object.fromEntries(node.values));
      if (key === 'vulnerabilityAlerts') yield { node: child, repository };
      else yield* connections(child, key === 'nodes' || key === 'edges' ? key : list);
    }
  }
}

function* connectionFindings(
  json: JsonReport,
  { node, repository }: Connection,
  tally: Tally,
  signal: AbortSignal,
): Generator<ReportRecord> {
  for (const list of ['nodes', 'edges'] as const) {
    const ranges = node.records.get(list);
    if (ranges === undefined) continue;
    const source = { report: json, ranges, list: `vulnerabilityAlerts.${list}`, tally, signal };
    if (list === 'nodes')
      yield* readRecords({ ...source, check: graphAlertCheck }, (alert) => graphFinding(fields(alert), repository));
    else yield* readRecords({ ...source, check: edgeCheck }, (edge) => graphFinding(fields(edge.node), repository));
  }
}

function findingOf(alert: Record<string, unknown>, repository: string | undefined): NormalizedFinding | string {
  if (restAlertCheck.accepts(alert)) return restFinding(alert);
  if (graphAlertCheck.accepts(alert)) return graphFinding(alert, repository);
  return 'is no alert of Dependabot';
}

function restFinding(alert: Record<string, unknown>): NormalizedFinding {
  const dependency = fields(alert.dependency);
  const vulnerability = fields(alert.security_vulnerability);
  return alertFinding({
    advisory: fields(alert.security_advisory),
    vulnerability: { ...vulnerability, package: vulnerability.package ?? dependency.package },
    manifest: dependency.manifest_path,
    version: undefined,
    closing: { state: alert.state, reason: alert.dismissed_reason, comment: alert.dismissed_comment },
    createdAt: alert.created_at,
    links: [alert.html_url],
    tags: [dependency.scope, dependency.relationship],
    repository: repositoryOf(alert.repository),
  });
}

function graphFinding(alert: Record<string, unknown>, repository: string | undefined): NormalizedFinding {
  const vulnerability = fields(alert.securityVulnerability);
  const pull = fields(fields(alert.dependabotUpdate).pullRequest);
  // Queries older than the field "state" ask for the date only.
  const state = alert.state ?? (said(alert.dismissedAt) === undefined ? undefined : 'dismissed');
  return alertFinding({
    advisory: fields(vulnerability.advisory ?? alert.securityAdvisory),
    vulnerability,
    manifest: alert.vulnerableManifestPath ?? alert.vulnerableManifestFilename,
    version: versionOf(alert.vulnerableRequirements),
    closing: { state, reason: alert.dismissReason, comment: alert.dismissComment },
    createdAt: alert.createdAt,
    links: [pull.permalink ?? pull.url],
    tags: [alert.dependencyScope, alert.dependencyRelationship],
    repository,
  });
}

/** A lock file requires one version: `= 5.3.29`. A range is none. */
function versionOf(requirements: unknown): string | undefined {
  return /^=+\s*([\w.+-]+)$/.exec(label(requirements) ?? '')?.[1];
}

export const dependabot: ReportParser = {
  tool: 'dependabot',
  formats: ['json'],
  recognise: recogniseDependabot,
  parse: parseDependabot,
};
