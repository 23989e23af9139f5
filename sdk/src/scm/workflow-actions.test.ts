import { expect, it } from 'vitest';
import { unpinnedActions } from './workflow-actions.ts';

it('knows actions that may change under their name', () => {
  const pinned = `actions/checkout@${'b'.repeat(40)}`;
  const workflow = `
jobs:
  build:
    uses: acme/flows/.github/workflows/build.yml@main
    steps:
      - uses: ${pinned} # v4
      - uses: "actions/setup-node@v4"
      - { uses: 'docker://alpine:3' }
      - uses: ./local
      - uses: docker://alpine@sha256:${'c'.repeat(64)}
      - run: echo "uses of this"
      # - uses: commented/out@v1
`;
  expect(unpinnedActions(workflow)).toEqual([
    'acme/flows/.github/workflows/build.yml@main',
    'actions/setup-node@v4',
    'docker://alpine:3',
  ]);
});
