import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { headText } from '../../lib/input/decode.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type ReaderOf, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, label } from '../../lib/values/read.ts';
import type { RecordCheck } from '../../lib/values/schema.ts';
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
const FORMAT: JsonFormat = { name: NAME, shape: SHAPE, emptyForms: ['[]'] };

function recogniseDependabot(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'security_vulnerability') || hasKeys(sketch, 'dependency', 'security_advisory')) return 0.98;
  if (sketch.root === 'other' || sketch.root === 'null') return 0;
  const isQuery = /"vulnerabilityAlerts"\s*:\s*\{/.test(headText(head).toString('utf8'));
  if (isQuery) return hasKeys(sketch, 'data') ? 0.97 : 0.9;
  return hasKeys(sketch, 'securityVulnerability') ? 0.9 : 0;
}

/** @throws ReportError */
const parseDependabot = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, (tally): StreamReader => {
    const reader: AlertReader = { name: NAME, tally, read: (alert) => findingOf(alert, undefined) };
    const alerts = looseAlerts(reader);
    return {
      lists: { nodes: alertsOf(graphAlertCheck, fields), edges: alertsOf(edgeCheck, nodeOf), report: () => alerts },
      *document(document) {
        if (!hasAlerts(document) && !document.values.has('alert'))
          throw wrongTool(NAME, 'it has no “vulnerabilityAlerts”');
        yield* webhookAlert(document, reader);
      },
      end: () => [{ kind: 'report', toolName: NAME }],
    };
  });

const nodeOf = (edge: unknown): Record<string, unknown> => fields(fields(edge).node);

/** Reads the alerts of one repository, whose name may stand behind them. */
const alertsOf =
  (check: RecordCheck<unknown>, alertIn: (record: unknown) => Record<string, unknown>): ReaderOf =>
  (connection) => {
    const repository = connection?.parent;
    const isOneOfMany = repository !== undefined && isInList(repository);
    if (isOneOfMany && !repository.isClosed) return LATER;
    const name = isOneOfMany ? repositoryOf(Object.fromEntries(repository.values)) : undefined;
    return { check, read: (record) => graphFinding(alertIn(record), name) };
  };

/** True where the query asked for several repositories. */
function isInList(node: JsonNode): boolean {
  return node.key === 'nodes' || node.key === 'edges' || (node.parent !== undefined && isInList(node.parent));
}

function hasAlerts(node: JsonNode): boolean {
  if (node.children.has('vulnerabilityAlerts')) return true;
  return [...node.children.values()].flat().some(hasAlerts);
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
  reads: { part: {}, failure: [], identity: 'advisory, package and manifest' },
  recognise: recogniseDependabot,
  parse: parseDependabot,
};
