import type { ReportParser } from '@breakwater/sdk';
import { parseGitleaks, recogniseGitleaks } from './parser.ts';

export const gitleaks: ReportParser = {
  tool: 'gitleaks',
  formats: ['json', 'csv', 'sarif'],
  recognise: recogniseGitleaks,
  parse: parseGitleaks,
};
