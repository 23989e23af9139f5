import type { ReportParser } from '@breakwater/sdk';
import { parseNuclei, recogniseNuclei } from './parser.ts';

export const nuclei: ReportParser = {
  tool: 'nuclei',
  formats: ['json', 'jsonl', 'sarif'],
  emptyMeansNone: true,
  recognise: recogniseNuclei,
  parse: parseNuclei,
};
