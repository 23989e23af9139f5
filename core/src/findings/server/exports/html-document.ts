import { createHash } from 'node:crypto';
import { type ColumnKey, columnInfo, valueKind } from '../../model/column-catalogue.ts';
import { locationOf } from '../../model/finding-text.ts';
import type { RowAttribute } from '../list/row-attributes.ts';
import { attributesOfCells, cellOf, type ExportDocument, type ExportRow, htmlText } from './table-documents.ts';

/** More no browser prints; the report then says how many there are. */
export const HTML_ROWS = 10_000;

/** For paper: light, the head of the table on every page, no row cut in two. */
const STYLE = `
@page { size: A4 landscape; margin: 12mm; }
* { box-sizing: border-box; }
body { margin: 24px; color: #1c2127; background: #fff; font: 12px/1.45 system-ui, sans-serif; }
h1 { font-size: 20px; margin: 0 0 4px; }
p, ul { margin: 0 0 8px; color: #404854; }
ul.filters { list-style: none; padding: 0; }
ul.filters li { display: inline-block; margin: 0 6px 4px 0; padding: 1px 6px; border: 1px solid #8f99a8; border-radius: 3px; }
table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: 4px 6px; border-bottom: 1px solid #d3d8de; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { border-bottom: 2px solid #5f6b7c; white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
td.long { max-width: 90mm; white-space: pre-wrap; }
.critical { font-weight: 700; color: #8e1220; } .high { font-weight: 700; color: #9a4300; } .medium { color: #7a5200; }
.note { padding: 6px 10px; border: 1px solid #b58900; background: #fff7df; color: #3d2f00; }
@media print { body { margin: 0; font-size: 9px; } }
`;

/** The page may load and run nothing; its one style sheet is known by its digest. */
export const HTML_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** What stands above the table. */
export interface HtmlHead {
  organization: string;
  /** When it was made, ISO 8601. */
  date: string;
  total: number;
  /** `Severity: critical, high`, one for each filter in use, as the list says it. */
  filters: readonly string[];
}

/** Needed beside the columns: for the colour of the severity and the location below the title. */
const WITH_EACH = ['severity', 'file_path', 'start_line', 'cve', 'component', 'component_version', 'resource'] as const;

const belowTitle = ({ file_path = null, start_line = null, cve = null, ...row }: ExportRow): string => {
  const { component = null, component_version = null, resource = null } = row;
  return locationOf({ file_path, start_line, cve, component, component_version, resource }, (path) => path);
};

const textOf = (key: ColumnKey, row: ExportRow): string => {
  const value = cellOf(key, row);
  if (key === 'estimated_epss' && typeof value === 'number') return `${(value * 100).toFixed(1)}%`;
  if (value === 'No') return '';
  if (valueKind(key) === 'time') return String(value).slice(0, 10);
  // as in the list, the cell of a finding says where it is
  return key === 'title' ? `${value}\n${belowTitle(row)}`.trimEnd() : String(value);
};

const cell = (key: ColumnKey, row: ExportRow): string => {
  const { severity = '' } = row;
  const { isNumber, isProse } = columnInfo(key);
  const style = isNumber ? 'n' : isProse || key === 'title' ? 'long' : key === 'severity' ? severity : '';
  return `<td${style === '' ? '' : ` class="${style}"`}>${htmlText(textOf(key, row))}</td>`;
};

const headOf = ({ organization, date, total, filters }: HtmlHead, columns: readonly ColumnKey[]): string => {
  const items = filters.map((filter) => `<li>${htmlText(filter)}</li>`).join('');
  const cut =
    total > HTML_ROWS
      ? `<p class="note">These are the first ${HTML_ROWS} of ${total} findings. Narrow the filter, or export CSV or JSON for all of them.</p>`
      : '';
  const names = columns.map(
    (key) => `<th${columnInfo(key).isNumber ? ' class="n"' : ''} scope="col">${columnInfo(key).label}</th>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${HTML_POLICY}">
<meta name="viewport" content="width=device-width"><title>Findings of ${htmlText(organization)}</title><style>${STYLE}</style></head>
<body><h1>Findings of ${htmlText(organization)}</h1>
<p>${total} ${total === 1 ? 'finding' : 'findings'}, ${htmlText(date.slice(0, 16).replace('T', ' '))} UTC</p>
${items === '' ? '<p>No filter.</p>' : `<ul class="filters">${items}</ul>`}
${cut}<table><thead><tr>${names.join('')}</tr></thead><tbody>
`;
};

/** A report to print: no scripts, nothing loaded, every text of a report escaped. */
export const htmlDocument = (columns: readonly ColumnKey[], head: HtmlHead): ExportDocument<RowAttribute> => ({
  attributes: [...new Set([...attributesOfCells(columns), ...WITH_EACH])],
  head: headOf(head, columns),
  separator: '',
  limit: HTML_ROWS,
  textOf: (rows) => rows.map((row) => `<tr>${columns.map((key) => cell(key, row)).join('')}</tr>\n`).join(''),
  foot: () => '</tbody></table></body></html>\n',
});
