import { findDueFeeds, refreshReferenceData, rescoreFindings } from './feed-jobs.ts';
import { applyRepository } from './settings/rescore-repository.ts';
import { applySettings } from './settings/settings-job.ts';

export { estimatedMitigation, estimatedPolicy, languageOfEcosystem, type Policy } from '../model/advice.ts';
export { cvssShares } from '../model/cvss-shares.ts';
export { type Enrichment, enrich, isVulnerableComponent, reportedEpss } from '../model/enrich.ts';
export { type Estimates, estimate } from '../model/estimates.ts';
export {
  type Control,
  type ControlMatch,
  controlKey,
  type Framework,
  type Frameworks,
} from '../model/frameworks.ts';
export type { ReferenceData } from '../model/reference.ts';
export { type Priority, packageUseOf, scorePriority, type TieOwnFacts, tieFactsOf } from '../model/score-priority.ts';
export type { PriorityPart } from '../model/settings/priority-settings.ts';
export { createReferenceEndpoints, readReferenceItems } from './endpoints.ts';
export { type FeedJobDeps, rescoreFindings } from './feed-jobs.ts';
export { loadFrameworks } from './feeds/framework-data.ts';
export { loadReferenceData } from './feeds/reference-data.ts';
export { ASK_FOR_RESCORE } from './rescore.ts';
export { scoreStored } from './score-stored.ts';
export { ASK_FOR_REPOSITORY_PRIORITIES, applyRepository, rescoreRepository } from './settings/rescore-repository.ts';
export { appliedChange, readSettings, saveSettings } from './settings/save-settings.ts';
export { applySettings } from './settings/settings-job.ts';
export {
  ASK_FOR_PRIORITIES,
  lockScoring,
  type QueryRows,
  readPriorityRules,
  runIn,
  SHARE_SCORING,
  type StoredRules,
} from './settings/stored-rules.ts';

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const prioritisationJobs = [
  refreshReferenceData,
  rescoreFindings,
  findDueFeeds,
  applySettings,
  applyRepository,
] as const;
