import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseDependencyCheck, recogniseDependencyCheck } from './parser.ts';

export const dependencyCheck: ReportParser = {
  tool: 'owasp-dependency-check',
  aliases: ['dependency-check'],
  formats: ['json', 'xml', 'sarif'],
  recognise: recogniseDependencyCheck,
  parse: advised(parseDependencyCheck, 'dependency-check --format JSON'),
};
