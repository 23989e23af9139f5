import { expect, test } from 'vitest';
import { readConfigKey } from './connector-sections.ts';

test.each([
  ['plugins.cloud', { kind: 'clouds' }],
  ['plugins.cloud.aws', { kind: 'connector', connector: 'aws' }],
  ['plugins.cloud.oracle_oci', { kind: 'connector', connector: 'oracle_oci' }],
  ['plugins.github', { kind: 'connector', connector: 'github' }],
  ['plugins.bitbucket_cloud', { kind: 'connector', connector: 'bitbucket_cloud' }],
  ['black_duck', { kind: 'connector', connector: 'black_duck' }],
  ['sast/opengrep', { kind: 'connector', connector: 'sast/opengrep' }],
  ['ci-cd-posture/kicsci/cd', { kind: 'connector', connector: 'ci-cd-posture/kicsci/cd' }],
  ['plugins.plexalyzer', { kind: 'tokens' }],
  ['plexalyzer', { kind: 'tokens' }],
  ['plugins.cloud.github', { kind: 'unknown' }],
  ['plugins.aws', { kind: 'unknown' }],
  ['plugins.github.oauth_token', { kind: 'unknown' }],
  ['plugins.cloud.aws.secret_access_key', { kind: 'unknown' }],
  ['plugins.', { kind: 'unknown' }],
  ['plugins.__proto__', { kind: 'unknown' }],
])('%s names %j', (key, target) => {
  expect(readConfigKey(key)).toEqual(target);
});
