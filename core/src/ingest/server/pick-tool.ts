import { AppError } from '../../platform/model/app-error.ts';
import type { ReportTool, ReportTools } from '../../platform/model/report-tools.ts';

/** What is known of a report before it is parsed. */
export interface ReportHead {
  head: Uint8Array;
  sizeBytes: number;
  fileName: string | undefined;
}

const names = (tools: ReportTools): string =>
  tools
    .tools()
    .map((tool) => tool.id)
    .join(', ');

/**
 * The importer for an upload: the one named, or with `auto` the one that recognises the content.
 * A clear mismatch is refused here, at once; a doubtful one is left to the parser, which reads all of it.
 * @throws unknown_tool, report_unrecognised, report_wrong_tool, report_empty.
 */
export const pickTool = (tools: ReportTools, name: string, report: ReportHead): ReportTool => {
  const isAuto = name.toLowerCase() === 'auto';
  const named = isAuto ? null : tools.resolveTool(name);
  if (!isAuto && named === null) {
    throw new AppError('unknown_tool', `There is no importer named "${name}". Name one of: auto, ${names(tools)}.`);
  }
  if (report.sizeBytes === 0 && named?.parser.emptyMeansNone !== true) {
    throw new AppError(
      'report_empty',
      isAuto
        ? 'The file is empty. If the tool found nothing, name the tool.'
        : `The file is empty, which ${named?.title ?? name} never writes. Run the scan again and upload what it wrote.`,
    );
  }
  if (named !== null) {
    const looksLike =
      named.parser.recognise(report.head, report.fileName) > 0
        ? null
        : tools.recogniseTool(report.head, report.fileName);
    if (looksLike === null || looksLike.tool === named.tool) return named;
    throw new AppError(
      'report_wrong_tool',
      `This is a report of ${looksLike.title}, not of ${named.title}. Nothing was imported. Upload it as ${looksLike.id}, or as auto.`,
    );
  }
  const found = tools.recogniseTool(report.head, report.fileName);
  if (found !== null) return found;
  throw new AppError(
    'report_unrecognised',
    `The tool could not be recognised from the content. Name one of: ${names(tools)}.`,
  );
};
