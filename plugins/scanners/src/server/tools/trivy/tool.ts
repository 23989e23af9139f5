import type { ReportParser } from '@breakwater/sdk';
import { parseTrivy, recogniseTrivy } from './parser.ts';

export const trivy: ReportParser = {
  tool: 'trivy',
  formats: ['json', 'sarif'],
  recognise: recogniseTrivy,
  parse: parseTrivy,
};
