import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseTflint, recogniseTflint } from './parser.ts';

export const tflint: ReportParser = {
  tool: 'tflint',
  formats: ['json', 'sarif', 'checkstyle', 'junit', 'compact'],
  recognise: recogniseTflint,
  parse: advised(parseTflint, 'tflint --format json'),
};
