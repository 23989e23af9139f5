import type { NormalizedFinding } from '@breakwater/sdk';
import { expect, test } from 'vitest';
import { identityText } from './identity.ts';

const packageOf = (path: string, startLine?: number): NormalizedFinding => ({
  kind: 'finding',
  ruleId: 'CVE-2024-1111',
  title: 'curl',
  type: 'Container',
  severity: 'high',
  component: { name: 'curl' },
  locations: [startLine === undefined ? { path } : { path, startLine }],
});
const identity = (path: string): string => identityText('trivy', packageOf(path));

test("an image's package keeps its identity under a new tag, digest and system release", () => {
  const first = identity('registry:5000/team/app:1.2 (debian 12.4)');
  expect(identity('registry:5000/team/app:1.3 (debian 12.5)')).toBe(first);
  expect(identity('registry:5000/team/app@sha256:0f0f (debian 12.5)')).toBe(first);
  expect(identity('registry:5000/team/other:1.2 (debian 12.4)')).not.toBe(first);
});

test('a path that only looks like it is a path', () => {
  expect(identity('docs/read me:1 (draft)')).not.toBe(identity('docs/read me:2 (draft)'));
  expect(identity('usr/lib/a.jar')).not.toBe(identity('usr/lib/b.jar'));
});
