import type { ReportParser } from '@breakwater/sdk';
import { parseGitlab, recogniseGitlab } from './parser.ts';

export const gitlab: ReportParser = {
  tool: 'gitlab',
  formats: ['json'],
  recognise: recogniseGitlab,
  parse: parseGitlab,
};
