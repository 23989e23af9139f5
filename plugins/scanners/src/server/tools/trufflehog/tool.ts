import type { ReportParser } from '@breakwater/sdk';
import { parseTrufflehog, recogniseTrufflehog } from './parser.ts';

export const trufflehog: ReportParser = {
  tool: 'trufflehog',
  formats: ['json', 'jsonl'],
  emptyMeansNone: true,
  recognise: recogniseTrufflehog,
  parse: parseTrufflehog,
};
