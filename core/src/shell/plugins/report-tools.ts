import type { HostParser } from '@breakwater/sdk';
import type { ReportTool, ReportTools } from '../../platform/model/connector-catalogue.ts';
import type { LoadedPlugin } from './container.ts';

/** What the importers of a plugin need of it. The browser has no more of one. */
export interface PluginImporters extends Pick<LoadedPlugin, 'plugin' | 'parsers'> {
  /** Which code they are, where it can be replaced while the server runs. */
  readonly revision?: string;
}

/** A parser that is less sure than this has not recognised the report. */
const SURE = 0.5;
/** Two parsers closer together than this are equally sure. */
const SAME = 0.05;

/** The importers of the plugins with their entries. Plugins without parser code in this process bring none. */
export function createReportTools(plugins: readonly PluginImporters[]): ReportTools {
  const importers = plugins.flatMap(importersOf);
  // An entry whose id is also the name of an importer (`grype`) wins and brings its family.
  const byName = new Map([...importers, ...plugins.flatMap(entriesOf)].map((tool) => [nameKey(tool.id), tool]));
  const aliases = new Map(
    importers.flatMap(({ id, parser }) => (parser.aliases ?? []).map((alias) => [nameKey(alias), nameKey(id)])),
  );
  const sorted = [...byName.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const resolveTool = (name: string) => {
    const key = nameKey(name);
    return byName.get(key) ?? byName.get(aliases.get(key) ?? '') ?? null;
  };

  return {
    tools: () => sorted,
    resolveTool,
    recogniseTool: async (head, fileName) => {
      const parser = await recognise(
        importers.map((tool) => tool.parser),
        head,
        fileName,
      );
      return parser ? resolveTool(parser.tool) : null;
    },
  };
}

function importersOf({ plugin, parsers, revision }: PluginImporters): ReportTool[] {
  return plugin.importers.flatMap((importer) => {
    const parser = parsers.find((candidate) => candidate.tool === importer.tool);
    if (!parser) return [];
    return [
      {
        id: importer.tool,
        tool: importer.tool,
        title: importer.title,
        family: null,
        connectorId: null,
        formats: parser.formats,
        parser,
        ...(revision === undefined ? {} : { revision }),
      },
    ];
  });
}

function entriesOf({ plugin, parsers, revision }: PluginImporters): ReportTool[] {
  return plugin.connectors.flatMap((connector) => {
    const source = connector.parser;
    const parser = source && parsers.find((candidate) => candidate.tool === source.tool);
    if (!source || !parser) return [];
    return [
      {
        id: connector.id,
        tool: source.tool,
        title: connector.title,
        family: source.family,
        connectorId: connector.id,
        formats: parser.formats,
        parser,
        ...(revision === undefined ? {} : { revision }),
      },
    ];
  });
}

function nameKey(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * The one parser that is sure by the content alone. Where several are equally sure, the file name may decide between them; it
 * never makes a parser sure.
 */
async function recognise(parsers: readonly HostParser[], head: Uint8Array, fileName: string | undefined) {
  const best = await leaders(parsers, (parser) => sureness(parser, head, undefined));
  if (best.length < 2 || fileName === undefined) return only(best);
  return only(await leaders(best, (parser) => sureness(parser, head, fileName)));
}

/** The parsers with the highest score, all that are within a hair of it; none when the highest is not sure. */
async function leaders(
  parsers: readonly HostParser[],
  score: (parser: HostParser) => Promise<number>,
): Promise<HostParser[]> {
  const scored = await Promise.all(parsers.map(async (parser) => ({ parser, score: await score(parser) })));
  const highest = Math.max(0, ...scored.map((entry) => entry.score));
  if (highest < SURE) return [];
  return scored.filter((entry) => highest - entry.score < SAME).map((entry) => entry.parser);
}

/** A parser that trips over another tool's bytes has not recognised them; it must not keep the others from being asked. */
async function sureness(parser: HostParser, head: Uint8Array, fileName: string | undefined): Promise<number> {
  try {
    const score = await (fileName === undefined ? parser.recognise(head) : parser.recognise(head, fileName));
    return Number.isFinite(score) ? Math.min(1, Math.max(0, score)) : 0;
  } catch {
    return 0;
  }
}

function only<T>(items: readonly T[]): T | null {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : null;
}
