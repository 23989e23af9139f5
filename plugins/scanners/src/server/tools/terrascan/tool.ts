import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseTerrascan, recogniseTerrascan } from './parser.ts';

export const terrascan: ReportParser = {
  tool: 'terrascan',
  formats: ['json', 'yaml', 'xml', 'junit-xml', 'sarif'],
  recognise: recogniseTerrascan,
  parse: advised(parseTerrascan, 'terrascan scan -o json'),
};
