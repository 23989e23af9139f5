import type { ReportParser } from '@breakwater/sdk';
import { parseFortify, recogniseFortify } from './parser.ts';

export const fortify: ReportParser = {
  tool: 'fortify',
  formats: ['fpr', 'fvdl', 'xml'],
  recognise: recogniseFortify,
  parse: parseFortify,
};
