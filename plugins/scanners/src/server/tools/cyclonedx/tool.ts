import type { ReportParser } from '@breakwater/sdk';
import { parseCyclonedx, recogniseCyclonedx } from './parser.ts';

export const cyclonedx: ReportParser = {
  tool: 'cyclonedx',
  formats: ['cyclonedx-json', 'cyclonedx-xml', 'json', 'xml'],
  recognise: recogniseCyclonedx,
  parse: parseCyclonedx,
};
