import type { ReportParser } from '@breakwater/sdk';
import { parseSarifReport, recogniseSarif } from './parser.ts';

export const sarif: ReportParser = {
  tool: 'sarif',
  formats: ['sarif', 'json'],
  recognise: recogniseSarif,
  parse: parseSarifReport,
};
