export {
  ANSWER_FAULTS,
  type AnswerFault,
  type FaultOrder,
  type ServiceFaults,
  slowBy,
  withFault,
} from './answer-faults.ts';
export type { CheckedCode } from './check-plugin.ts';
export { checkPlugin } from './check-plugin.ts';
export type {
  Calls,
  ConnectorFixture,
  Exchange,
  Fixtures,
  RecordedAnswer,
  RecordedDelivery,
  RecordedReport,
  RecordedRequest,
  ScmWriteName,
  Situation,
  WrongCase,
} from './fixtures.ts';
export {
  type BareRepository,
  createBareRepository,
  type GitFile,
} from './git/bare-repository.ts';
export {
  createFakeOAuth,
  decisionPage,
  type FakeOAuth,
  type FakeOAuthOptions,
  type FakeTokens,
  type OAuthFault,
  sendBack,
} from './git/fake-oauth.ts';
export {
  type FakeProvider,
  type LazyRepository,
  lazyRepository,
  repositoryWithBranches,
  type StartedProvider,
  startFakeProvider,
} from './git/fake-provider.ts';
export type { GitCommit } from './git/history.ts';
export { type GitOutput, git, tryGit } from './git/run-git.ts';
export { type GitUser, type ServedGit, serveGit } from './git/serve-git.ts';
export type { TreeChange } from './git/trees.ts';
export { checkBuild } from './kit/build/check-build.ts';
export type { KitCheck, KitIssue, Tier } from './kit/check.ts';
export { printReport, reaches } from './kit/print-report.ts';
export { type ConnectorReport, type KitOptions, type KitReport, runKit } from './kit/run-kit.ts';
export { type SetOutcome, setAll } from './set-all.ts';
export { collect, openTestConnection, refusalOf, type TestConnection } from './test-connection.ts';
export {
  startTestService,
  type TestAnswer,
  type TestAnswers,
  type TestRequest,
  type TestService,
  type TestServiceOptions,
} from './test-service.ts';
