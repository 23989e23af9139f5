export { type Enrichment, enrich, isVulnerableComponent } from '../model/enrich.ts';
export type { CweEntry, EpssEntry, KevEntry, ReferenceData } from '../model/reference.ts';
export { type Priority, type PriorityFacts, scorePriority } from '../model/score-priority.ts';
export { loadReferenceData } from './reference-data.ts';
