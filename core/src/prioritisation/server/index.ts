export { estimatedMitigation, estimatedPolicy, languageOfEcosystem, type Policy } from '../model/advice.ts';
export { cvssShares } from '../model/cvss-shares.ts';
export { type Enrichment, enrich, isVulnerableComponent } from '../model/enrich.ts';
export { type Estimates, estimate } from '../model/estimates.ts';
export type { PriorityPart } from '../model/parts.ts';
export type { ReferenceData } from '../model/reference.ts';
export { type Priority, scorePriority } from '../model/score-priority.ts';
export { loadReferenceData } from './reference-data.ts';
