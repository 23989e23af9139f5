import type { ReportParser } from '@breakwater/sdk';
import { parseHadolint, recogniseHadolint } from './parser.ts';

export const hadolint: ReportParser = {
  tool: 'hadolint',
  formats: ['json', 'sarif'],
  recognise: recogniseHadolint,
  parse: parseHadolint,
};
