import type { ReportParser } from '@breakwater/sdk';
import { parseCloudsploit, recogniseCloudsploit } from './parser.ts';

export const cloudsploit: ReportParser = {
  tool: 'cloudsploit',
  formats: ['json', 'csv'],
  recognise: recogniseCloudsploit,
  parse: parseCloudsploit,
};
