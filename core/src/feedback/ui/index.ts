export { startUsageReports } from './usage.ts';
