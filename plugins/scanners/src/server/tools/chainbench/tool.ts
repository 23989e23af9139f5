import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseChainbench, recogniseChainbench } from './parser.ts';

export const chainbench: ReportParser = {
  tool: 'chainbench',
  formats: ['json'],
  recognise: recogniseChainbench,
  parse: advised(parseChainbench, 'chain-bench scan --output-file report.json'),
};
