import type { ReportParser } from '@breakwater/sdk';
import { parseTflint, recogniseTflint } from './parser.ts';

export const tflint: ReportParser = {
  tool: 'tflint',
  formats: ['json', 'sarif'],
  recognise: recogniseTflint,
  parse: parseTflint,
};
