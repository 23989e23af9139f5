import { AppError } from '../../../platform/model/app-error.ts';
import type { ReportTool, ReportTools } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Recognise } from './recognise-report.ts';

/** What is known of a report before it is parsed. */
export interface ReportHead {
  head: Uint8Array;
  sizeBytes: number;
  fileName: string | undefined;
  /** An archive of several files. */
  isArchive?: boolean | undefined;
}

/** Where tools have a name that begins like the one that was given, they are named. */
const unknownTool = (tools: ReportTools, wanted: string): AppError => {
  const start = wanted.toLowerCase().slice(0, 4);
  const ids = tools.tools().flatMap((tool) => (tool.id.startsWith(start) ? [tool.id] : []));
  const name = wanted.slice(0, 100);
  return new AppError(
    'unknown_tool',
    ids.length === 0
      ? say('There is no importer named "{name}". Choose the tool that wrote the report, or auto.', { name })
      : say(
          'There is no importer named "{name}". Did you mean {tools}? Choose the tool that wrote the report, or auto.',
          {
            name,
            tools: ids.slice(0, 3).join(', '),
          },
        ),
  );
};

const several = (): AppError =>
  new AppError(
    'report_malformed',
    msg('The archive holds several files, and no tool here writes such an archive. Upload one report at a time.'),
  );

const unmapped = (): AppError =>
  new AppError(
    'report_unmapped',
    msg(
      'This is a table of a tool that is not known here. Say what its columns are (“Map columns”; “mapping” in the API), and upload it again.',
    ),
  );

/** The importer that reads a table by a mapping of its columns. @throws validation_failed where another tool is named */
export const pickTableTool = (tools: ReportTools, name: string): ReportTool => {
  const tool = tools.tools().find(({ parser }) => parser.tables !== undefined);
  const named = name.toLowerCase() === 'auto' ? tool : tools.resolveTool(name);
  if (tool !== undefined && named?.tool === tool.tool) return tool;
  const msg = sayEnglish('A mapping of columns is for tables of tools that are not known: leave tool out{id}.', {
    id: tool === undefined ? '' : `, or send ${tool.id}`,
  });
  throw new AppError('validation_failed', undefined, { issues: [{ loc: ['body', 'tool'], msg, type: 'tool' }] });
};

/**
 * The importer for an upload: the one named, or with `auto` the one that recognises the content.
 * A clear mismatch is refused here, at once; a doubtful one is left to the parser, which reads all of it.
 * @throws unknown_tool, report_unrecognised, report_unmapped, report_wrong_tool, report_empty, report_too_complex.
 */
export const pickTool = async (
  tools: ReportTools,
  recognise: Recognise,
  name: string,
  report: ReportHead,
): Promise<ReportTool> => {
  const isAuto = name.toLowerCase() === 'auto';
  const named = isAuto ? null : tools.resolveTool(name);
  if (!isAuto && named === null) throw unknownTool(tools, name);
  if (report.sizeBytes === 0 && named?.parser.emptyMeansNone !== true) {
    throw new AppError(
      'report_empty',
      isAuto
        ? msg('The file is empty. If the tool found nothing, name the tool.')
        : say('The file is empty, which {name} never writes. Run the scan again and upload what it wrote.', {
            name: named?.title ?? name,
          }),
    );
  }
  const {
    score,
    found: foundId,
    table,
  } = await recognise({
    toolId: named?.id ?? null,
    head: report.head,
    fileName: report.fileName,
  });
  if (report.isArchive === true && named !== null && score === 0) throw several();
  const found = foundId === null ? null : tools.resolveTool(foundId);
  // somebody said that it is in the format of our own, whose columns it does not have
  if (table !== null && (named === null || named.id === table)) throw unmapped();
  if (named !== null) {
    if (found === null || found.tool === named.tool) return named;
    throw new AppError(
      'report_wrong_tool',
      say('This is a report of {title}, not of {named}. Nothing was imported. Upload it as {id}, or as auto.', {
        title: found.title,
        named: named.title,
        id: found.id,
      }),
    );
  }
  if (found !== null) return found;
  if (report.isArchive === true) throw several();
  throw new AppError(
    'report_unrecognised',
    msg('The tool could not be recognised from the content. Choose the tool that wrote it, and upload it again.'),
  );
};
