import type { ReportParser } from '@breakwater/sdk';
import { parseGrype, recogniseGrype } from './parser.ts';

export const grype: ReportParser = {
  tool: 'grype',
  formats: ['json', 'sarif'],
  recognise: recogniseGrype,
  parse: parseGrype,
};
