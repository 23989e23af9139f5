import type { ReportParser } from '@breakwater/sdk';
import { parseKics, recogniseKics } from './parser.ts';

export const kics: ReportParser = {
  tool: 'kics',
  formats: ['json', 'sarif'],
  recognise: recogniseKics,
  parse: parseKics,
};
