import { expect, test } from 'vitest';
import {
  checkClassOf,
  type Misconfiguration,
  misconfigurationCorrelations,
  resourceName,
  typedResource,
} from './misconfiguration.ts';

const failed = (id: string, tool: string, more: Partial<Misconfiguration> = {}): Misconfiguration => ({
  ...{ id, tool, path: 'main.tf', checkClass: 'bucket is public', resource: null, line: null, endLine: null },
  ...more,
});
const correlations = (...items: Misconfiguration[]) =>
  misconfigurationCorrelations(items)
    .map(({ a, b, certainty }) => `${[a, b].sort().join('=')} ${certainty}`)
    .sort();

test.each([
  ['CKV_DOCKER_2', 'Ensure that HEALTHCHECK instructions have been added', 'image without health check'],
  ['DS026', 'No HEALTHCHECK defined', 'image without health check'],
  ['AVD-DS-0026', '', 'image without health check'],
  ['b03a748a-542d-44f4-bb86-9199ab4fd2d5', 'Healthcheck Instruction Missing', 'image without health check'],
  ['DL3002', 'Last USER should not be root', 'image runs as root'],
  ['KSV-0012', 'Runs as root user', 'container runs as root'],
  [
    'AC_AWS_0003',
    'Ensure that your RDS database instances encrypt the underlying storage. Encrypted RDS…',
    'database not encrypted',
  ],
  ['DL3008', 'Pin versions in apt get install.', undefined],
  ['constructor', 'toString', undefined],
])('%s "%s" is about: %s', (rule, title, expected) => {
  expect(checkClassOf(rule, title)).toBe(expected);
});

test('resources are known by type and name, in the notation of every tool', () => {
  expect(
    ['module.a.aws_s3_bucket.logs', 'aws_s3_bucket[logs]', 'resource.aws_s3_bucket[logs].website'].map(typedResource),
  ).toEqual(Array(3).fill('aws_s3_bucket.logs'));
  expect(typedResource('AWS::S3::Bucket.Logs')).toBeUndefined();
  expect(
    ['metadata.name={{web}}.spec.containers', 'default/Deployment/web', 'Deployment.default.web', 'web'].map(
      resourceName,
    ),
  ).toEqual(Array(4).fill('web'));
});

test('the same resource is certain, the same name or lines in common are likely', () => {
  expect(
    correlations(
      failed('a', 'checkov', { resource: 'module.x.aws_s3_bucket.logs', line: 1, endLine: 20 }),
      failed('b', 'kics', { resource: 'aws_s3_bucket[logs]', line: 300 }),
      failed('c', 'trivy', { line: 5, endLine: 9 }),
      failed('d', 'terrascan', { resource: 'logs', line: 500 }),
    ),
  ).toEqual(['a=b 2', 'a=c 1', 'a=d 1', 'b=d 1']);
});

test('another class, file, resource or line is something else; so are two results of one tool', () => {
  const a = failed('a', 'checkov', { resource: 'aws_s3_bucket.logs', line: 1, endLine: 20 });
  expect(
    correlations(a, failed('b', 'kics', { resource: 'aws_s3_bucket[logs]', checkClass: 'bucket without versions' })),
  ).toEqual([]);
  expect(correlations(a, failed('b', 'kics', { resource: 'aws_s3_bucket[logs]', path: 'other.tf' }))).toEqual([]);
  expect(correlations(a, failed('b', 'kics', { resource: 'aws_s3_bucket[data]', line: 5 }))).toEqual([]);
  expect(correlations(a, failed('b', 'trivy', { line: 21, endLine: 30 }))).toEqual([]);
  expect(correlations(a, failed('b', 'checkov', { resource: 'aws_s3_bucket.logs', line: 1, endLine: 20 }))).toEqual([]);
});

test('what fits several results of the other tool is only possibly the same, and stays alone', () => {
  expect(
    correlations(
      failed('a', 'checkov', { line: 1, endLine: 100 }),
      failed('b', 'trivy', { line: 5 }),
      failed('c', 'trivy', { line: 50 }),
    ),
  ).toEqual([]);
});

test('an image has one health check, whatever lines the tools name', () => {
  const image = { path: 'Dockerfile', checkClass: 'image without health check' };
  expect(correlations(failed('a', 'checkov', { ...image, line: 1, endLine: 40 }), failed('b', 'trivy', image))).toEqual(
    ['a=b 1'],
  );
});
