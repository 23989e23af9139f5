import type { ReportParser } from '@breakwater/sdk';
import { parseSyft, recogniseSyft } from './parser.ts';

export const syft: ReportParser = {
  tool: 'syft',
  formats: ['json'],
  recognise: recogniseSyft,
  parse: parseSyft,
};
