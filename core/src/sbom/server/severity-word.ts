import { SEVERITIES } from '@breakwater/sdk';

/** @param severity 4 critical to 0 informational, as rows hold it */
export const severityWord = (severity: number): (typeof SEVERITIES)[number] =>
  SEVERITIES[4 - severity] ?? 'informational';
