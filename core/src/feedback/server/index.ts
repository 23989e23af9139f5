import type { Endpoint } from '../../platform/server/endpoint.ts';
import { boardEndpoints } from './board-endpoints.ts';
import type { FeedbackDeps } from './deps.ts';
import { widgetEndpoints } from './widget-endpoints.ts';
import './tables.ts';

export { CANNY_ORIGIN, type CannyConfig, type FeedbackDeps } from './deps.ts';
export { feedbackPersonalData } from './personal-data.ts';
export { createUsageReporter, type UsageConfig } from './usage-reporter.ts';

/** Feedback on the product, and reports of its use. */
export const createFeedbackEndpoints = (deps: FeedbackDeps): Endpoint[] => [
  ...boardEndpoints(deps),
  ...widgetEndpoints(deps),
];
