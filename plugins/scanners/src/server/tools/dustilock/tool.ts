import type { ReportParser } from '@breakwater/sdk';
import { parseDustilock, recogniseDustilock } from './parser.ts';

export const dustilock: ReportParser = {
  tool: 'dustilock',
  formats: ['txt'],
  recognise: recogniseDustilock,
  parse: parseDustilock,
};
