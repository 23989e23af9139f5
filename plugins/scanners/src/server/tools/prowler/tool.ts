import type { ReportParser } from '@breakwater/sdk';
import { parseProwler, recogniseProwler } from './parser.ts';

export const prowler: ReportParser = {
  tool: 'prowler',
  formats: ['json', 'jsonl', 'csv'],
  recognise: recogniseProwler,
  parse: parseProwler,
};
