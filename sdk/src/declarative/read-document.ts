import type { AnyConnectorSpec } from '../connector.ts';
import { monogram } from '../connector.ts';
import { secretKeys } from '../credentials.ts';
import type { ReportParser } from '../findings/report-parser.ts';
import { type Plugin, PluginError, readManifest } from '../plugin.ts';
import { shapeIssues } from '../read-answer.ts';
import { refusalOf } from '../sdk-api.ts';
import type { PluginServer } from '../server.ts';
import { createCheck } from './check.ts';
import type { ConnectorDocument, Expression, Mapper } from './document.ts';
import { DocumentShape } from './document-schema.ts';
import { expressionIssue } from './expressions.ts';
import { createFindings } from './findings.ts';
import { createParser } from './report.ts';
import { namesIn } from './templates.ts';

/** A connector without code, as the host and the kit use any other. */
export interface ReadDocument {
  /** The document itself, checked. */
  readonly document: ConnectorDocument;
  readonly plugin: Plugin;
  readonly server: PluginServer;
  readonly parsers: readonly ReportParser[];
  /** What it says when the service refuses, besides what the manifest says. */
  readonly sentences: readonly string[];
}

/**
 * Makes a connector of the content of `connector.json`. Reading it evaluates nothing and opens no connection.
 * @param mapper evaluates its expressions, once somebody uses the connector
 * @throws PluginError listing every issue at once, with the place in the document
 */
export function readDocument(value: unknown, mapper: Mapper): ReadDocument {
  const document = checkedDocument(value);
  const plugin = readManifest(manifestOf(document));
  const { check, findings, report } = document;
  const server: PluginServer = {
    pluginId: plugin.id,
    connectors: {
      [document.id]: {
        ...(check === undefined ? {} : { check: createCheck(check, mapper) }),
        ...(findings === undefined ? {} : { findings: createFindings(findings, document.title, mapper) }),
      },
    },
  };
  const sentences = (check?.refuse ?? []).flatMap(({ message, help }) => [
    message,
    ...(help === undefined ? [] : [help]),
  ]);
  const parsers = report === undefined ? [] : [createParser(report, toolOf(document), mapper)];
  return { plugin, server, parsers, sentences, document };
}

/** The card, the form and the permissions of a document: what people see before they add it. @throws PluginError */
export function manifestOfDocument(value: unknown): Plugin {
  return readManifest(manifestOf(checkedDocument(value)));
}

const toolOf = ({ id, report }: ConnectorDocument): string => report?.tool ?? id;

function manifestOf(document: ConnectorDocument): unknown {
  const { id, version, publisher, title, category, description, report } = document;
  const { documentation, commercial, credentials, auth, baseUrl, services, permissions } = document;
  const connector: AnyConnectorSpec = {
    ...{ id, title, category, description },
    image: document.image ?? monogram(initialsOf(title)),
    ...(documentation === undefined ? {} : { documentation }),
    ...(commercial === undefined ? {} : { commercial }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(auth === undefined ? {} : { auth }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(services === undefined ? {} : { services }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(report === undefined ? {} : { parser: { tool: toolOf(document), family: report.type ?? 'SAST' } }),
  };
  const importers = report === undefined ? [] : [{ tool: toolOf(document), title }];
  return { id, version, ...(publisher === undefined ? {} : { publisher }), connectors: [connector], importers };
}

/** First letters of at most two words; a title without letters that fit gets a C. */
function initialsOf(title: string): string {
  const letters = title.split(/\s+/).flatMap((word) => /[A-Za-z0-9]/.exec(word)?.[0] ?? []);
  return letters.slice(0, 2).join('').toUpperCase() || 'C';
}

function checkedDocument(value: unknown): ConnectorDocument {
  const refusal = refusalOf(value);
  if (refusal !== null) throw new PluginError([refusal]);
  if (!hasStructure(value)) {
    const issues = shapeIssues(DocumentShape, value, []);
    throw new PluginError(
      issues.map(({ path, message }) => `${place(path)}: ${path.join('.') === 'actions' ? NO_ACTIONS : message}`),
    );
  }
  // what the schema of manifests says first: rules between parts need a form that can be read
  readManifest(manifestOf(value));
  const issues = relationIssues(value);
  if (issues.length > 0) throw new PluginError(issues);
  return value;
}

/** Source: docs/decisions/2026-11-27-connectors-built-in-the-browser.md. */
const NO_ACTIONS =
  'is not a known field: a document reads and sends nothing. Tickets and channels need code, which makes each of them once and escapes what it says for the service';

function hasStructure(value: unknown): value is ConnectorDocument {
  return shapeIssues(DocumentShape, value, []).length === 0;
}

const place = (path: readonly string[]): string =>
  path.length === 0 ? 'connector.json' : `connector.json, field "${path.join('.')}"`;

/** What the schema cannot say. */
function relationIssues(document: ConnectorDocument): string[] {
  const issues: string[] = [];
  const report = (message: string, ...path: string[]) => issues.push(`${place(path)}: ${message}`);
  const { auth, check, findings, report: reports } = document;
  if (check === undefined && findings === undefined && reports === undefined) {
    report('says neither "check" nor "findings" nor "report": there is nothing that it could do');
  }
  if (check === undefined && (auth?.type ?? 'none') !== 'none') report('is missing: the connector signs in', 'check');
  for (const [path, expression] of expressionsOf(document)) {
    const issue = expressionIssue(expression);
    if (issue !== undefined) report(issue, ...path);
  }
  for (const [path, template, scope] of templatesOf(document)) {
    for (const name of namesIn(template)) checkName(document, name, scope, (message) => report(message, ...path));
  }
  for (const [path, { type, map }] of mappingsOf(document)) {
    if (type === undefined && map.type === undefined) report('is missing here and in "map"', ...path, 'type');
  }
  return issues;
}

function checkName(
  { credentials }: ConnectorDocument,
  name: string,
  scope: 'form' | 'target',
  report: (message: string) => void,
): void {
  if (scope === 'target' && (name === 'target.id' || name === 'target.name')) return;
  if (credentials === undefined || !Object.hasOwn(credentials.properties, name)) {
    report(`{{${name}}} is not a field of the form${scope === 'target' ? ', target.id or target.name' : ''}`);
  } else if (secretKeys(credentials).some((key) => key === name)) {
    report(`{{${name}}} is a secret, which may stand in auth only`);
  }
}

type Placed<T> = [path: string[], value: T];

function mappingsOf({ findings, report }: ConnectorDocument) {
  return [
    ...(findings === undefined ? [] : [[['findings'], findings] as const]),
    ...(report === undefined ? [] : [[['report'], report] as const]),
  ];
}

function expressionsOf({ check, findings, report }: ConnectorDocument): Placed<Expression>[] {
  const found: Placed<Expression | undefined>[] = [
    [['check', 'identity'], check?.identity],
    [['check', 'scopes'], check?.scopes],
    ...(check?.refuse ?? []).map(
      ({ when }, index): Placed<Expression> => [['check', 'refuse', String(index), 'when'], when],
    ),
    [['findings', 'where'], findings?.where],
    ...fieldsOf(['findings', 'targets', 'map'], findings?.targets?.map),
    ...fieldsOf(['findings', 'map'], findings?.map),
    [['report', 'where'], report?.where],
    ...fieldsOf(['report', 'map'], report?.map),
  ];
  return found.flatMap(([path, expression]) => (expression === undefined ? [] : [[path, expression]]));
}

function fieldsOf(path: string[], map: object | undefined): Placed<Expression | undefined>[] {
  return Object.entries(map ?? {}).map(([name, expression]) => [[...path, name], expression]);
}

function templatesOf({ check, findings }: ConnectorDocument) {
  return [
    ...(check === undefined ? [] : [[['check', 'request'], check.request, 'form'] as const]),
    ...(findings === undefined ? [] : [[['findings', 'request'], findings.request, 'target'] as const]),
    ...(findings?.targets === undefined
      ? []
      : [[['findings', 'targets', 'request'], findings.targets.request, 'form'] as const]),
  ];
}
