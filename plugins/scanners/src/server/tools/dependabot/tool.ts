import type { ReportParser } from '@breakwater/sdk';
import { parseDependabot, recogniseDependabot } from './parser.ts';

export const dependabot: ReportParser = {
  tool: 'dependabot',
  formats: ['json'],
  recognise: recogniseDependabot,
  parse: parseDependabot,
};
