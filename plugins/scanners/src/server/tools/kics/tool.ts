import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseKics, recogniseKics } from './parser.ts';

export const kics: ReportParser = {
  tool: 'kics',
  formats: ['json', 'csv', 'sarif'],
  recognise: recogniseKics,
  parse: advised(parseKics, 'kics scan --report-formats json'),
};
