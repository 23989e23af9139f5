export * from './capability-contracts.ts';
export * from './categories.ts';
export * from './connection-machine.ts';
export * from './connector.ts';
export * from './context.ts';
export * from './credentials.ts';
export * from './delivery-events.ts';
export * from './errors.ts';
export * from './findings/cvss.ts';
export * from './findings/finding.ts';
export * from './findings/finding-schema.ts';
export * from './findings/report-parser.ts';
export * from './findings/table-mapping.ts';
export {
  type LanguageTable,
  type ManifestText,
  manifestTexts,
  type PluginSentences,
  type ReadLanguage,
  readLanguageTable,
} from './languages/language-table.ts';
export type { Importer } from './manifest.ts';
export * from './migration-step.ts';
export * from './notify/notify.ts';
export * from './plugin.ts';
export { answerJson, readAnswer, type Static, type TSchema, Type } from './read-answer.ts';
export * from './scm/marks.ts';
export * from './scm/names.ts';
export * from './scm/posture.ts';
export * from './scm/scm.ts';
export * from './scm/workflow-actions.ts';
export { type Hide, hideElements, hidePairs, hideShapes, MASK, secrecyOf, secretLooks } from './secret-values.ts';
export * from './server.ts';
export * from './text/escape-text.ts';
export * from './tickets/ticket-template.ts';
export * from './tickets/tickets.ts';
