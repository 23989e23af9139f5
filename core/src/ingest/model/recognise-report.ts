import type { ReportTools } from '../../platform/model/connector-catalogue.ts';

/** What is asked of the beginning of a report. */
export interface RecognitionRequest {
  /** Id of the importer that the sender named; null where none is. */
  toolId: string | null;
  head: Uint8Array;
  fileName: string | undefined;
}

export interface Recognition {
  /** How sure the named importer is, 0 to 1. */
  score: number;
  /** Id of the importer that takes the report for its own, where the named one does not or none is named. */
  found: string | null;
  /** Set where no importer takes it, but one reads tables whose columns somebody maps: its id. */
  table: string | null;
}

/**
 * Asks the importers themselves. Their patterns see what strangers send: only a thread that can be ended may call this, of
 * the server or of a browser.
 */
export const recogniseWith = async (
  tools: ReportTools,
  { toolId, head, fileName }: RecognitionRequest,
): Promise<Recognition> => {
  const named = toolId === null ? null : tools.resolveTool(toolId);
  const score = (await named?.parser.recognise(head, fileName)) ?? 0;
  const found = score > 0 ? null : ((await tools.recogniseTool(head, fileName))?.id ?? null);
  const isKnown = score > 0 || found !== null;
  const table = isKnown ? undefined : tools.tools().find(({ parser }) => parser.tables?.isTable(head) === true);
  return { score, found, table: table?.id ?? null };
};
