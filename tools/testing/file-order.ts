import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Workers keep their modules only from one file to the next of the same project, so projects are not mixed. */
const PROJECTS = ['database', 'node', 'dom', 'e2e'];

/** Files that take longest (see the end of `npm test`): started last, one of them would keep a single core busy while the other rests. */
const LONG = [
  'scans.db.test.ts',
  'published-connectors.db.test.ts',
  'source-controls.db.test.ts',
  'installed-plugins.db.test.ts',
  'run-bulk-job.db.test.ts',
  'chart-segments.db.test.ts',
  'killed-import.db.test.ts',
  'samples.db.test.ts',
  'cli.db.test.ts',
  'ai-fixes.db.test.ts',
  'exports.db.test.ts',
  'projects.db.test.ts',
  'remediation.db.test.ts',
  'stripe.db.test.ts',
  'managed-clients.db.test.ts',
  'packed-sdk.test.ts',
  'build.test.ts',
  'planted-faults.test.ts',
  'connection-paths.test.ts',
  'load-plugin.test.ts',
  'preview-report.test.ts',
  'samples.test.ts',
  'published-connectors.test.ts',
  'accessibility.test.ts',
  'views.test.ts',
  'remediation.test.ts',
  'user-guide.test.ts',
  'german.test.ts',
  'ten-minutes.test.ts',
  'connector-builder.test.ts',
  'point-19-ways-home.test.ts',
  'point-21-charts.test.ts',
];

const rankOf = ({ project, moduleId }: TestSpecification): number => {
  const place = LONG.indexOf(moduleId.slice(moduleId.lastIndexOf('/') + 1));
  return PROJECTS.indexOf(project.name) * 1000 + (place === -1 ? 999 : place);
};

/** Orders test files by project, and the long ones of each first. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}
