import type { AnyConnectorSpec } from '../connector.ts';
import { monogram } from '../connector.ts';
import type { ReportParser } from '../findings/report-parser.ts';
import { type Plugin, PluginError, readManifest } from '../plugin.ts';
import { shapeIssues } from '../read-answer.ts';
import { refusalOf } from '../sdk-api.ts';
import type { PluginServer } from '../server.ts';
import { createNotify } from './actions/notify.ts';
import { createTickets } from './actions/tickets.ts';
import { createCheck } from './check.ts';
import type { ConnectorDocument, Mapper } from './document.ts';
import { sentencesOf } from './document-parts.ts';
import { documentIssues } from './document-rules.ts';
import { DocumentShape } from './document-schema.ts';
import { createFindings } from './findings.ts';
import { createParser } from './report.ts';

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
  const { check, findings, report, actions = {} } = document;
  const server: PluginServer = {
    pluginId: plugin.id,
    connectors: {
      [document.id]: {
        ...(check === undefined ? {} : { check: createCheck(check, mapper) }),
        ...(findings === undefined ? {} : { findings: createFindings(findings, document.title, mapper) }),
        ...(actions.notify === undefined ? {} : { notify: createNotify(actions.notify, mapper) }),
        ...(actions.ticket === undefined ? {} : { tickets: createTickets(actions.ticket, mapper) }),
      },
    },
  };
  const parsers = report === undefined ? [] : [createParser(report, toolOf(document), mapper)];
  return { plugin, server, parsers, sentences: sentencesOf(document), document };
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
    throw new PluginError(issues.map(({ path, message }) => `${place(path)}: ${message}`));
  }
  // what the schema of manifests says first: rules between parts need a form that can be read
  readManifest(manifestOf(value));
  const issues = documentIssues(value, place);
  if (issues.length > 0) throw new PluginError(issues);
  return value;
}

function hasStructure(value: unknown): value is ConnectorDocument {
  return shapeIssues(DocumentShape, value, []).length === 0;
}

const place = (path: readonly string[]): string =>
  path.length === 0 ? 'connector.json' : `connector.json, field "${path.join('.')}"`;
