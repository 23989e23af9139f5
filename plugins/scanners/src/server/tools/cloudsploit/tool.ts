import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseCloudsploit, recogniseCloudsploit } from './parser.ts';

export const cloudsploit: ReportParser = {
  tool: 'cloudsploit',
  formats: ['json', 'csv'],
  recognise: recogniseCloudsploit,
  parse: advised(parseCloudsploit, 'cloudsploit --json report.json'),
};
