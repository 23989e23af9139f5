import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseCheckov, recogniseCheckov } from './parser.ts';

export const checkov: ReportParser = {
  tool: 'checkov',
  formats: ['json', 'junitxml', 'sarif'],
  recognise: recogniseCheckov,
  parse: advised(parseCheckov, 'checkov -o json'),
};
