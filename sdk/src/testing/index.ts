export type { CheckedCode } from './check-plugin.ts';
export { checkPlugin } from './check-plugin.ts';
export type {
  Calls,
  ConnectorFixture,
  Exchange,
  Fixtures,
  RecordedAnswer,
  RecordedRequest,
  WrongCase,
} from './fixtures.ts';
export type { KitCheck, KitIssue, Tier } from './kit/check.ts';
export { printReport, reaches } from './kit/print-report.ts';
export { type ConnectorReport, type KitReport, runKit } from './kit/run-kit.ts';
export { collect, openTestConnection, refusalOf, type TestConnection } from './test-connection.ts';
export { startTestService, type TestAnswer, type TestRequest, type TestService } from './test-service.ts';
