import type { ReportParser } from '@breakwater/sdk';
import { parseSpdx, recogniseSpdx } from './parser.ts';

export const spdx: ReportParser = {
  tool: 'spdx',
  formats: ['spdx-json', 'spdx-tag-value', 'json'],
  recognise: recogniseSpdx,
  parse: parseSpdx,
};
