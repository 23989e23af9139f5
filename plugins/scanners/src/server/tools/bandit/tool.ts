import type { ReportParser } from '@breakwater/sdk';
import { parseBandit, recogniseBandit } from './parser.ts';

export const bandit: ReportParser = {
  tool: 'bandit',
  formats: ['json', 'csv', 'sarif'],
  recognise: recogniseBandit,
  parse: parseBandit,
};
