import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseNuclei, recogniseNuclei } from './parser.ts';

export const nuclei: ReportParser = {
  tool: 'nuclei',
  formats: ['json', 'jsonl', 'sarif'],
  emptyMeansNone: true,
  recognise: recogniseNuclei,
  parse: advised(parseNuclei, 'nuclei -jsonl'),
};
