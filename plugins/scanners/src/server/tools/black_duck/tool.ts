import type { ReportParser } from '@breakwater/sdk';
import { parseBlackDuck, recogniseBlackDuck } from './parser.ts';

export const blackDuck: ReportParser = {
  tool: 'black_duck',
  aliases: ['blackduck'],
  formats: ['csv', 'zip', 'sarif'],
  recognise: recogniseBlackDuck,
  parse: parseBlackDuck,
};
