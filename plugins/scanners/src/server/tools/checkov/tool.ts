import type { ReportParser } from '@breakwater/sdk';
import { parseCheckov, recogniseCheckov } from './parser.ts';

export const checkov: ReportParser = {
  tool: 'checkov',
  formats: ['json', 'sarif'],
  recognise: recogniseCheckov,
  parse: parseCheckov,
};
