export * from './finding.ts';
export * from './report-parser.ts';
