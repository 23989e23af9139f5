import type { ReportParser } from '@breakwater/sdk';
import type { ReportTool, ReportTools } from '../../platform/model/connector-catalogue.ts';
import type { LoadedPlugin } from './container.ts';

/** A parser that is less sure than this has not recognised the report. */
const SURE = 0.5;
/** Two parsers closer together than this are equally sure. */
const SAME = 0.05;

/** The importers of the plugins with their cards. Plugins without parser code in this process bring none. */
export function createReportTools(plugins: readonly LoadedPlugin[]): ReportTools {
  const importers = plugins.flatMap(importersOf);
  // A card whose id is also the name of an importer (`grype`) wins and brings its family.
  const byName = new Map([...importers, ...plugins.flatMap(cardsOf)].map((tool) => [nameKey(tool.id), tool]));
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
    recogniseTool: (head, fileName) => {
      const parser = recognise(
        importers.map((tool) => tool.parser),
        head,
        fileName,
      );
      return parser ? resolveTool(parser.tool) : null;
    },
  };
}

function importersOf({ plugin, parsers }: LoadedPlugin): ReportTool[] {
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
      },
    ];
  });
}

function cardsOf({ plugin, parsers }: LoadedPlugin): ReportTool[] {
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
function recognise(parsers: readonly ReportParser[], head: Uint8Array, fileName: string | undefined) {
  const best = leaders(parsers, (parser) => sureness(parser, head, undefined));
  if (best.length < 2 || fileName === undefined) return only(best);
  return only(leaders(best, (parser) => sureness(parser, head, fileName)));
}

/** The parsers with the highest score, all that are within a hair of it; none when the highest is not sure. */
function leaders(parsers: readonly ReportParser[], score: (parser: ReportParser) => number): ReportParser[] {
  const scored = parsers.map((parser) => ({ parser, score: score(parser) }));
  const highest = Math.max(0, ...scored.map((entry) => entry.score));
  if (highest < SURE) return [];
  return scored.filter((entry) => highest - entry.score < SAME).map((entry) => entry.parser);
}

/** A parser that trips over another tool's bytes has not recognised them; it must not keep the others from being asked. */
function sureness(parser: ReportParser, head: Uint8Array, fileName: string | undefined): number {
  try {
    const score = fileName === undefined ? parser.recognise(head) : parser.recognise(head, fileName);
    return Number.isFinite(score) ? Math.min(1, Math.max(0, score)) : 0;
  } catch {
    return 0;
  }
}

function only<T>(items: readonly T[]): T | null {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : null;
}
