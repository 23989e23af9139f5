import type { AnyConnector } from '../connector.ts';
import type { CredentialField } from '../credentials.ts';
import { type Plugin, PluginError, readManifest } from '../plugin.ts';
import type { ReportParser } from '../report-parser.ts';
import type { PluginServer } from '../server.ts';
import { checkParser } from './check-parser.ts';
import { checkPicture } from './check-picture.ts';

/** Code of a plugin, as its entry points export it. */
export interface CheckedCode {
  readonly parsers?: readonly ReportParser[];
  readonly server?: PluginServer;
}

/**
 * The part of the conformance kit that needs no service: manifest, pictures, descriptions, documentation, forms, and whether the
 * code fits the manifest. Answers with every fault in words; an empty list means that the plugin passes.
 *
 * `expect(checkPlugin(plugin, { parsers })).toEqual([])`
 */
export function checkPlugin(manifest: unknown, code: CheckedCode = {}): string[] {
  try {
    const plugin = readManifest(manifest);
    return [
      ...plugin.connectors.flatMap((connector) => checkCard(connector).map((fault) => `${connector.id}: ${fault}`)),
      ...checkImporters(plugin, code.parsers ?? []),
      ...checkServer(plugin, code.server),
    ];
  } catch (error) {
    if (error instanceof PluginError) return [...error.faults];
    throw error;
  }
}

function checkCard(connector: AnyConnector): string[] {
  const fields = Object.entries(connector.credentials.properties);
  return [
    ...checkPicture(connector.image),
    ...checkSentence('description', connector.description),
    ...(connector.documentation === undefined ? ['has no link to documentation'] : []),
    ...(connector.disabled ? checkSentence('disabled.reason', connector.disabled.reason) : []),
    ...fields.flatMap(([name, field]) => checkField(field).map((fault) => `credential field ${name}: ${fault}`)),
  ];
}

/** A card shows one line; half sentences and paragraphs look broken beside the others. */
function checkSentence(name: string, text: string): string[] {
  if (!/^[\p{Lu}\p{N}].*[.]$/u.test(text))
    return [`${name} is no sentence: start with a capital and end with a full stop`];
  if (text.length > 160) return [`${name} has ${text.length} characters, a card shows 160`];
  return /[.!?]\s+\p{Lu}/u.test(text) ? [`${name} is more than one sentence`] : [];
}

/** What the generic form needs to draw a field. */
function checkField(field: CredentialField): string[] {
  const faults = field.title === undefined ? ['has no title, so the form has no label'] : [];
  if (field.type === 'string' && (field.minLength ?? 0) > (field.maxLength ?? Number.POSITIVE_INFINITY)) {
    faults.push('minLength is above maxLength');
  }
  if (field.type === 'number' || field.type === 'integer') {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
    if (minimum > maximum) faults.push('minimum is above maximum');
    if (field.default !== undefined && (field.default < minimum || field.default > maximum)) {
      faults.push('the default is outside minimum and maximum');
    }
  }
  return faults;
}

function checkImporters(plugin: Plugin, parsers: readonly ReportParser[]): string[] {
  const tools = parsers.map((parser) => parser.tool);
  return [
    ...plugin.importers
      .filter(({ tool }) => !tools.includes(tool))
      .map(({ tool }) => `importer ${tool}: has no parser`),
    ...parsers.flatMap((parser, index) => {
      const announced = plugin.importers.some(({ tool }) => tool === parser.tool);
      return [
        ...(announced ? [] : ['is not announced in the manifest']),
        ...(tools.indexOf(parser.tool) < index ? ['has two parsers'] : []),
        ...checkParser(parser),
      ].map((fault) => `importer ${parser.tool}: ${fault}`);
    }),
  ];
}

function checkServer(plugin: Plugin, server: PluginServer | undefined): string[] {
  return plugin.connectors
    .filter(({ id, auth }) => auth.type !== 'none' && server?.connectors[id]?.check === undefined)
    .map(({ id }) => `${id}: signs its requests but has no check`);
}
