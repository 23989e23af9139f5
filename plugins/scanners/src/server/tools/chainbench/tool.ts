import type { ReportParser } from '@breakwater/sdk';
import { parseChainbench, recogniseChainbench } from './parser.ts';

export const chainbench: ReportParser = {
  tool: 'chainbench',
  formats: ['json'],
  recognise: recogniseChainbench,
  parse: parseChainbench,
};
