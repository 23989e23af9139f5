import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseBandit, recogniseBandit } from './parser.ts';

export const bandit: ReportParser = {
  tool: 'bandit',
  formats: ['json', 'csv', 'yaml', 'xml', 'sarif'],
  recognise: recogniseBandit,
  parse: advised(parseBandit, 'bandit -f json'),
};
