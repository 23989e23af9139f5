import type { ReportParser } from '@breakwater/sdk';
import { parseClamav, recogniseClamav } from './parser.ts';

export const clamav: ReportParser = {
  tool: 'clamav',
  formats: ['txt'],
  emptyMeansNone: true,
  recognise: recogniseClamav,
  parse: parseClamav,
};
