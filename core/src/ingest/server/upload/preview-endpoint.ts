import type { NormalizedFinding, TablePreview } from '@breakwater/sdk';
import type { Static } from 'typebox';
import { AppError } from '../../../platform/model/app-error.ts';
import type { ReportTools } from '../../../platform/model/connector-catalogue.ts';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, streamedFileEndpoint } from '../../../platform/server/endpoint.ts';
import type { ReportToolSource } from '../../../platform/server/report-tool-source.ts';
import { downloadFormatFile, previewTable, type TablePreviewAnswer } from '../../api/table-routes.ts';
import { listMappings } from './column-mappings.ts';
import type { HeadReader } from './recognise-report.ts';

type Answer = Static<typeof TablePreviewAnswer>;

const findingOf = ({ title, severity, type, ruleId, locations, component, resource }: NormalizedFinding) => ({
  ...{ title, severity, type, rule_id: ruleId },
  file_path: locations?.[0]?.path ?? null,
  start_line: locations?.[0]?.startLine ?? null,
  component: component === undefined ? null : [component.name, component.version].filter(Boolean).join(' '),
  resource: resource ?? null,
});

const answerOf = (preview: TablePreview, tools: ReportTools): Omit<Answer, 'saved'> => {
  const fields = tools.tools().flatMap(({ parser }) => parser.tables?.fields ?? []);
  return {
    separator: preview.separator,
    columns: [...preview.columns],
    rows: preview.rows.map((row) => [...row]),
    fields: fields.map(({ name, label, help, isRequired, values = [] }) => ({
      ...{ name, label, help, is_required: isRequired },
      values: [...values],
    })),
    proposal: preview.proposal,
    words: [...preview.words],
    findings: preview.records.flatMap((record) => (record.kind === 'finding' ? [findingOf(record)] : [])),
    unreadable: preview.records.flatMap((record) =>
      record.kind === 'unreadable' ? [{ where: record.where, why: record.why }] : [],
    ),
  };
};

export interface PreviewDependencies {
  database: DatabaseHandle;
  tools: ReportToolSource;
  heads: HeadReader;
}

/** What helps to bring findings in that no importer knows: templates, schema, and a look at the beginning of a table. */
export const previewEndpoints = ({ database, tools, heads }: PreviewDependencies): Endpoint[] => [
  callerEndpoint(previewTable)(async ({ caller, body }) => {
    const { head, is_whole: isWhole, mapping } = body;
    const preview = await heads.preview({
      ...{ head: Buffer.from(head, 'base64'), isWhole },
      ...(mapping === undefined ? {} : { mapping }),
    });
    const { clientId } = caller;
    const saved = await database.forClient(clientId, (db) => listMappings(db, { clientId, columns: preview.columns }));
    return { data: { ...answerOf(preview, tools.shared), saved } };
  }),
  streamedFileEndpoint(downloadFormatFile)(({ params }) => {
    const tool = tools.shared.resolveTool(params.tool);
    if (tool === null) throw new AppError('unknown_tool');
    const file = tool.parser.files?.find(({ name }) => name === params.name);
    if (file === undefined) throw new AppError('format_file_not_found');
    return { fileName: `${tool.id}-${file.name}`, contentType: file.contentType, content: file.text };
  }),
];
