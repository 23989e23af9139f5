import { AppError } from '../../../platform/model/app-error.ts';
import type { ReportTools } from '../../../platform/model/connector-catalogue.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';

/**
 * The tools of these that the organisation excludes. The name of an importer excludes every entry of the catalogue that it reads for, the
 * name of an entry that one.
 */
export const excludedTools = async (
  db: Db,
  tools: Pick<ReportTools, 'resolveTool'>,
  { clientId, toolIds }: { clientId: string; toolIds: readonly string[] },
): Promise<ReadonlySet<string>> => {
  const client = await db
    .selectFrom('clients')
    .select('excluded_tools')
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  const isExcluded = (toolId: string): boolean => {
    const tool = tools.resolveTool(toolId);
    return client.excluded_tools.some((name) => {
      const excluded = tools.resolveTool(name);
      if (excluded === null || tool === null) return name.toLowerCase() === toolId.toLowerCase();
      return excluded.id === tool.id || (excluded.id === excluded.tool && excluded.tool === tool.tool);
    });
  };
  return new Set(toolIds.filter(isExcluded));
};

/** Refuses the reports of a tool that the organisation excludes. @throws tool_excluded */
export const refuseExcludedTool = async (
  db: Db,
  tools: Pick<ReportTools, 'resolveTool'>,
  { clientId, toolId }: { clientId: string; toolId: string },
): Promise<void> => {
  const excluded = await excludedTools(db, tools, { clientId, toolIds: [toolId] });
  if (!excluded.has(toolId)) return;
  throw new AppError(
    'tool_excluded',
    say('Your organisation excludes {toolId}. Nothing was imported. An admin can take it off the excluded tools.', {
      toolId: tools.resolveTool(toolId)?.title ?? toolId,
    }),
  );
};
