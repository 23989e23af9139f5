import { SEPARATORS, SEVERITIES, TableMapping } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const Columns = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 2, maxItems: 300 });

/** A mapping of columns that an organisation keeps; it is offered for tables that have the same columns. */
export const ColumnMapping = Type.Object({
  _id: Id,
  attributes: Type.Object({
    name: Type.String(),
    columns: Type.Array(Type.String()),
    mapping: TableMapping,
    /** Who changed it last; null where that person is gone. */
    changed_by: Nullable(Type.String()),
    changed_at: Timestamp,
  }),
});

/** Base64 of the beginning of a file, as much as is looked at: 64 KiB. */
const HEAD_CHARACTERS = 87_384;

const Field = Type.Object({
  name: Type.String(),
  label: Type.String(),
  help: Type.String(),
  is_required: Type.Boolean(),
  /** All values that it can have, where they are few. */
  values: Type.Array(Type.String()),
});

/** A finding as the preview of an import shows it. */
const PreviewFinding = Type.Object({
  title: Type.String(),
  severity: OneOf(SEVERITIES),
  type: Type.String(),
  rule_id: Type.String(),
  file_path: Nullable(Type.String()),
  start_line: Nullable(Type.Integer()),
  component: Nullable(Type.String()),
  resource: Nullable(Type.String()),
});

export const TablePreviewAnswer = Type.Object({
  separator: OneOf(SEPARATORS),
  columns: Type.Array(Type.String()),
  /** The first rows, as they stand. */
  rows: Type.Array(Type.Array(Type.String())),
  /** What can be mapped. */
  fields: Type.Array(Field),
  /** By the names of the columns. */
  proposal: TableMapping,
  /** Words of the severity column, and what they are taken for. */
  words: Type.Array(Type.Object({ word: Type.String(), severity: Nullable(OneOf(SEVERITIES)) })),
  /** What the first rows become with the mapping. */
  findings: Type.Array(PreviewFinding),
  unreadable: Type.Array(Type.Object({ where: Type.String(), why: Type.String() })),
  /** Mappings of the organisation for tables with these columns, the newest first. */
  saved: Type.Array(ColumnMapping),
});

export const previewTable = route({
  method: 'POST',
  path: '/upload_preview',
  tag: 'ingest',
  summary:
    'What the beginning of a table shows, and what its first rows become with a mapping of its columns; nothing is stored',
  access: { permission: 'scans.upload', tenant: false },
  body: Type.Object(
    {
      head: Type.String({ maxLength: HEAD_CHARACTERS, description: 'base64 of the first 64 KiB of the file' }),
      is_whole: Type.Boolean({ description: 'The file is not longer than that.' }),
      mapping: Type.Optional(TableMapping),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ data: TablePreviewAnswer }),
  errors: ['report_wrong_tool', 'report_too_complex', 'report_malformed'],
});

export const listColumnMappings = route({
  method: 'GET',
  path: '/column_mappings',
  tag: 'ingest',
  summary: 'Mappings of columns that the organisation keeps, by name',
  access: { permission: 'scans.upload', tenant: true },
  response: Type.Object({ data: Type.Array(ColumnMapping) }),
});

export const saveColumnMapping = route({
  method: 'PUT',
  path: '/column_mappings',
  tag: 'ingest',
  summary: 'Keep a mapping of columns under a name; one of that name is replaced',
  access: { permission: 'scans.manage', tenant: true },
  body: Type.Object({ name: Name, columns: Columns, mapping: TableMapping }, { additionalProperties: false }),
  response: Action(Type.Object({ _id: Id })),
  errors: ['conflict'],
});

export const deleteColumnMapping = route({
  method: 'DELETE',
  path: '/column_mappings/{id}',
  tag: 'ingest',
  summary: 'Remove a mapping of columns; reports that were imported with it stay as they are',
  access: { permission: 'scans.manage', tenant: true },
  params: Type.Object({ id: Id }),
  response: Done,
  errors: ['column_mapping_not_found'],
});

export const downloadFormatFile = route({
  method: 'GET',
  path: '/upload_tools/{tool}/files/{name}',
  tag: 'ingest',
  summary: 'Schema or template of a format that people write themselves',
  access: { permission: 'scans.upload', tenant: false },
  params: Type.Object({
    tool: Type.String({ maxLength: 100 }),
    name: Type.String({ maxLength: 100 }),
  }),
  response: Type.String(),
  responseKind: 'file',
  errors: ['unknown_tool', 'format_file_not_found'],
});
