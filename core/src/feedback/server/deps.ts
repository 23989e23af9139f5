import type { DatabaseHandle } from '../../platform/server/database.ts';
import type { UsageReporter } from './usage-reporter.ts';

export const CANNY_ORIGIN = 'https://canny.io';

/** The operator's board at Canny. */
export interface CannyConfig {
  /** Signs tokens by which Canny knows people. A secret. */
  privateKey: string;
  boardToken: string;
  /** `https://canny.io`, or the server that stands in for it. Without a slash at the end. */
  origin: string;
}

export interface FeedbackDeps {
  database: DatabaseHandle;
  /** Nothing: feedback stays in the built-in board. */
  canny: CannyConfig | undefined;
  /** Nothing: use is not measured. */
  usage: UsageReporter | undefined;
}
