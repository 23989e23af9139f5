import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseGitleaks, recogniseGitleaks } from './parser.ts';

export const gitleaks: ReportParser = {
  tool: 'gitleaks',
  formats: ['json', 'csv', 'junit', 'sarif'],
  recognise: recogniseGitleaks,
  parse: advised(parseGitleaks, 'gitleaks --report-format json'),
};
