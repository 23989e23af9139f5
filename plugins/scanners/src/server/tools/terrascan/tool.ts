import type { ReportParser } from '@breakwater/sdk';
import { parseTerrascan, recogniseTerrascan } from './parser.ts';

export const terrascan: ReportParser = {
  tool: 'terrascan',
  formats: ['json', 'sarif'],
  recognise: recogniseTerrascan,
  parse: parseTerrascan,
};
