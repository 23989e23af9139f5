import type { ReportParser } from '@breakwater/sdk';
import { parseCheckmarx, recogniseCheckmarx } from './parser.ts';

export const checkmarx: ReportParser = {
  tool: 'checkmarx',
  formats: ['xml', 'json', 'sarif'],
  recognise: recogniseCheckmarx,
  parse: parseCheckmarx,
};
