import type { ReportParser } from '@breakwater/sdk';
import { parseDevskim, recogniseDevskim } from './parser.ts';

export const devskim: ReportParser = {
  tool: 'devskim',
  formats: ['sarif', 'json'],
  recognise: recogniseDevskim,
  parse: parseDevskim,
};
