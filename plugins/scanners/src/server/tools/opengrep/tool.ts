import type { ReportParser } from '@breakwater/sdk';
import { parseOpengrep, recogniseOpengrep } from './parser.ts';

export const opengrep: ReportParser = {
  tool: 'opengrep',
  aliases: ['semgrep'],
  formats: ['json', 'sarif'],
  recognise: recogniseOpengrep,
  parse: parseOpengrep,
};
