import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id } from '../../platform/api/envelope.ts';
import { FindingExportQuery } from './routes.ts';

/**
 * All findings of the list's query, in its order; paging says nothing here. `fields` names the columns: without it JSON holds the
 * whole row, and CSV and HTML the columns that the caller sees in the list, CSV also those for what stands below a title. CSV and HTML say values
 * as the list does; JSON and SARIF hold them as stored, and the labels once.
 */
const download = {
  method: 'POST',
  tag: 'findings',
  access: { permission: 'findings.read', tenant: false },
  audit: 'data.exported',
  query: FindingExportQuery,
  response: Type.String(),
  responseKind: 'file',
} as const;

export const downloadFinding = route({
  method: 'POST',
  path: '/findings/{id}/report',
  tag: 'findings',
  summary: 'One finding as a JSON file, finding-{id}.json',
  access: { permission: 'findings.read', tenant: true },
  audit: 'data.exported',
  params: Type.Object({ id: Id }),
  response: Type.String(),
  responseKind: 'file',
  errors: ['finding_not_found'],
});

/** The formats of the list, in the order of the menu: their routes, and how the menu names them. */
export const EXPORTS = {
  csv: {
    route: route({
      ...download,
      path: '/download_csv_findings',
      summary: 'The findings of the list as a CSV file, cells harmless in spreadsheets',
    }),
    text: 'CSV',
    label: 'columns shown, and where',
  },
  json: {
    route: route({
      ...download,
      path: '/download_json_findings',
      summary: 'The findings of the list as a JSON file',
    }),
    text: 'JSON',
    label: 'columns shown',
  },
  sarif: {
    route: route({
      ...download,
      path: '/download_sarif_findings',
      summary: 'The findings of the list as SARIF 2.1.0',
    }),
    text: 'SARIF 2.1.0',
    label: 'for other tools',
  },
  html: {
    route: route({
      ...download,
      path: '/download_html_findings',
      summary: 'The findings of the list as a report to print: the first 10,000, without scripts',
    }),
    text: 'Report to print',
    label: 'HTML',
  },
} as const;
export type ExportFormat = keyof typeof EXPORTS;

const isFormat = (key: string): key is ExportFormat => key in EXPORTS;
export const EXPORT_FORMATS: readonly ExportFormat[] = Object.keys(EXPORTS).filter(isFormat);
