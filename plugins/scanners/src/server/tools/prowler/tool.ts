import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseProwler, recogniseProwler } from './parser.ts';

export const prowler: ReportParser = {
  tool: 'prowler',
  formats: ['json', 'jsonl', 'csv'],
  recognise: recogniseProwler,
  parse: advised(parseProwler, 'prowler -M json-ocsf csv'),
};
