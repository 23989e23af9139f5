import path from 'node:path';
import { expect, test } from 'vitest';
import { checkBoundaries } from './check-boundaries.ts';

const PLANTED = path.join(import.meta.dirname, '__fixtures__/boundaries');

const EXPECTED: Record<string, string[]> = {
  'app/src/bad-server.ts': ['app'],
  'cli/src/bad-core.ts': ['cli'],
  'core/src/alpha/api/bad-re-export.ts': ['core-api'],
  'core/src/alpha/model/bad-cycle-one.ts': ['no-cycle'],
  'core/src/alpha/model/bad-dynamic-import.ts': ['core-model'],
  'core/src/alpha/model/bad-library.ts': ['neutral-libraries'],
  'core/src/alpha/model/bad-node.ts': ['neutral-rooms'],
  'core/src/alpha/server/bad-inside-of-another.ts': ['core-server'],
  'core/src/alpha/server/bad-inversify.ts': ['inversify-in-containers'],
  'core/src/alpha/server/bad-screen.ts': ['server-has-no-screen'],
  'core/src/alpha/server/bad-unresolvable.ts': ['resolvable'],
  'core/src/beta/server/bad-table-read.ts': ['table-owner'],
  'core/src/beta/server/bad-table-write.ts': ['table-owner'],
  'core/migrations/20260101_orphan.sql': ['table-unowned'],
  'core/src/gamma/server/tables.ts': ['table-offer', 'table-unknown'],
  'core/src/alpha/ui/bad-driver.ts': ['browser-has-no-server'],
  'core/src/alpha/ui/bad-node.ts': ['browser-has-no-node'],
  'core/src/alpha/ui/bad-server.tsx': ['core-ui'],
  'core/src/gamma/model/bad-superadmin.ts': ['superadmin-is-a-leaf'],
  'core/src/platform/model/bad-slice.ts': ['platform-serves-all'],
  'core/src/shell/ui/bad-slice-inside.ts': ['core-shell', 'core-ui'],
  'host-server/src/bad-plugin.ts': ['host-server'],
  'host-server/src/bad-ui.ts': ['host-server'],
  'plugins/demo/src/bad-other-plugin.ts': ['plugins'],
  'plugins/demo/src/bad-package-name.ts': ['plugins'],
  'sdk/src/bad-host.ts': ['sdk-neutral'],
  'sdk/src/bad-node.ts': ['neutral-rooms'],
  'sdk/src/bad-type-import.ts': ['sdk'],
  'alpha → beta → alpha': ['slice-cycle'],
};

test('finds every planted violation, and nothing else', async () => {
  const { issues } = await checkBoundaries({ root: PLANTED });
  const found: Record<string, string[]> = {};
  for (const issue of issues) {
    const rule = issue.what.slice(0, issue.what.indexOf(':'));
    found[issue.where] = [...new Set([...(found[issue.where] ?? []), rule])].sort();
  }
  expect(found).toEqual(EXPECTED);
});

test('our own code keeps to the import rule, and every file was read', async () => {
  const { issues, cruised } = await checkBoundaries({ root: path.join(import.meta.dirname, '..') });
  expect(issues).toEqual([]);
  expect(cruised).toBeGreaterThan(40);
});
