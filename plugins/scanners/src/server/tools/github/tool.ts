import type { ReportParser } from '@breakwater/sdk';
import { parseGithub, recogniseGithub } from './parser.ts';

export const github: ReportParser = {
  tool: 'github',
  formats: ['json'],
  recognise: recogniseGithub,
  parse: parseGithub,
};
