import type { HostParser } from '@breakwater/sdk';
import { addedTool, ownToolName } from '../../platform/model/added-tool.ts';
import type { ReportTool, ReportTools } from '../../platform/model/connector-catalogue.ts';
import { createReportTools, type PluginImporters } from './report-tools.ts';

/** The importers of a plugin that an organisation added. */
export interface AddedImporters extends PluginImporters {
  /** Whose they are, see `addedTool`. */
  readonly mark: string;
  readonly revision: string;
}

/** The importers that all have and those of an organisation, which are asked only for what no other recognises. */
export function withAddedTools(shared: ReportTools, added: readonly AddedImporters[]): ReportTools {
  const own = createReportTools(added.map(renamed));
  const byOwnName = (name: string): ReportTool | null => {
    const [tool, ...others] = own.tools().filter(({ id }) => ownToolName(id) === name.trim().toLowerCase());
    return others.length === 0 ? (tool ?? null) : null;
  };
  return {
    tools: () => [...shared.tools(), ...own.tools()],
    resolveTool: (name) => shared.resolveTool(name) ?? own.resolveTool(name) ?? byOwnName(name),
    recogniseTool: async (head, fileName) =>
      (await shared.recogniseTool(head, fileName)) ?? (await own.recogniseTool(head, fileName)),
  };
}

/** A plugin whose importers, and cards with one, have the names that the organisation's tools have. */
function renamed({ plugin, parsers, mark, revision }: AddedImporters): PluginImporters {
  const inOrganisation = (name: string): string => addedTool(name, mark);
  return {
    plugin: {
      ...plugin,
      importers: plugin.importers.map((one) => ({ ...one, tool: inOrganisation(one.tool) })),
      connectors: plugin.connectors.map((connector) => ({
        ...connector,
        id: inOrganisation(connector.id),
        ...(connector.parser && { parser: { ...connector.parser, tool: inOrganisation(connector.parser.tool) } }),
      })),
    },
    parsers: parsers.map((parser) => underName(parser, inOrganisation(parser.tool))),
    revision,
  };
}

/** Other names of a tool are names of ours, and only ours read tables that nobody knows. */
function underName(parser: HostParser, tool: string): HostParser {
  const { aliases: _aliases, tables: _tables, files: _files, ...rest } = parser;
  return {
    ...rest,
    tool,
    recognise: (head, name) => parser.recognise(head, name),
    parse: (report, options) => parser.parse(report, options),
  };
}
