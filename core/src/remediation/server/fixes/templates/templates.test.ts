import { describe, expect, it } from 'vitest';
import { finding } from '../../../../testing/planned-fix.ts';
import type { FixFinding } from '../../../model/fix.ts';
import { planFix } from '../plan-fix.ts';

const of = (
  ruleId: string,
  file: string,
  startLine: number | null = null,
  more: Partial<FixFinding> = {},
): FixFinding => ({
  ...finding('1', { name: 'x' }, file),
  component: null,
  type: 'IaC',
  ruleId,
  startLine,
  endLine: startLine,
  ...more,
});

const plan = (own: FixFinding, content: string, templateValues?: Record<string, string>, related: FixFinding[] = []) =>
  planFix({
    finding: own,
    related,
    files: [{ path: own.file ?? '', content }],
    ...(templateValues ? { templateValues } : {}),
  });

const edited = async (...request: Parameters<typeof plan>): Promise<string> => {
  const answer = await plan(...request);
  if (answer.kind !== 'change' || answer.changes.length !== 1) throw new Error(JSON.stringify(answer));
  return answer.changes[0]?.after ?? '';
};

describe('code', () => {
  const RULE = 'javascript.express.security.audit.express-libxml-vm-noent.express-libxml-vm-noent';
  const at = (line: number) => of(RULE, 'routes/upload.ts', line, { type: 'SAST' });
  const CONTENT = "const a = { noent: true }\nvm.run('parseXml(data, { noblanks: true, noent: true })')\n";

  it('leaves entities of XML unresolved at the line that the rule names', async () => {
    expect(await edited(at(2), CONTENT)).toBe(
      CONTENT.replace('noblanks: true, noent: true', 'noblanks: true, noent: false'),
    );
  });

  it.each([3, 99])('changes nothing at another line: %i', async (line) => {
    expect(await plan(at(line), CONTENT)).toMatchObject({ kind: 'none', reason: 'place_not_found' });
  });
});

describe('Dockerfiles', () => {
  const CONTENT =
    '# syntax=docker/dockerfile:1\r\nFROM node AS build\r\nRUN apt-get update && apt-get install curl \\\r\n  # USER root\r\n  git\r\nFROM node:20\r\nCMD ["node", "x"]';

  it.each(['DS002', 'AVD-DS-0002', 'DS-0002', 'CKV_DOCKER_3', 'ckv_docker_3', 'fd54f200-402c-4333-a5a4-36ef6709af2f'])(
    'run as a user without rights: %s',
    async (rule) => {
      expect(await edited(of(rule, 'Dockerfile'), CONTENT)).toBe(CONTENT.replace('CMD', 'USER 10001:10001\r\nCMD'));
    },
  );

  it('have root replaced in the last stage alone', async () => {
    const content = 'FROM a:1 AS b\nUSER root\nFROM b:1\nUSER root\nRUN <<EOF\nUSER root\nEOF\n';
    expect(await edited(of('DL3002', 'Dockerfile', 4), content, { user: 'app' })).toBe(
      'FROM a:1 AS b\nUSER root\nFROM b:1\nUSER app\nRUN <<EOF\nUSER root\nEOF\n',
    );
  });

  it('wait for what a person has to decide, and judge it', async () => {
    const own = of('CKV_DOCKER_2', 'Dockerfile');
    expect(await plan(own, CONTENT)).toMatchObject({
      kind: 'change',
      changes: [],
      template: { name: 'docker.healthcheck', values: {}, problems: { command: expect.any(String) } },
    });
    expect(await plan(own, CONTENT, { command: 'x\nRUN evil' })).toMatchObject({
      changes: [],
      template: { problems: { command: expect.any(String) } },
    });
    expect(await edited(own, CONTENT, { command: 'curl -f localhost' })).toBe(
      CONTENT.replace('CMD', 'HEALTHCHECK CMD curl -f localhost\r\nCMD'),
    );
  });

  it.each(['root', '0', '0:0', 'root:x', 'a b', 'a\nRUN x', ''])('take no user %j', async (user) => {
    expect(await plan(of('DS002', 'Dockerfile'), CONTENT, { user })).toMatchObject({
      changes: [],
      template: { problems: { user: expect.any(String) } },
    });
  });

  it.each([
    ['DL3006', 2, { tag: '20' }, 'FROM node AS', 'FROM node:20 AS'],
    ['DL3015', 3, undefined, 'apt-get install curl', 'apt-get install --no-install-recommends curl'],
    ['DL3014', 3, undefined, 'apt-get install curl', 'apt-get install -y curl'],
  ])('%s', async (rule, line, values, from, to) => {
    expect(await edited(of(rule, 'Dockerfile', line), CONTENT, values)).toBe(CONTENT.replace(from, to));
  });

  it.each([
    [
      'DL3042',
      'FROM a:1\nRUN pip install x && pip3 install --no-cache-dir y',
      'pip install',
      'pip install --no-cache-dir',
    ],
    ['DL3020', 'FROM a:1\nADD x.txt /\nADD a.tar.gz /\nADD https://example.org/x /', 'ADD x', 'COPY x'],
    ['DL4006', 'FROM a:1\nRUN a | b', 'RUN', 'SHELL ["/bin/bash", "-o", "pipefail", "-c"]\nRUN'],
  ])('%s', async (rule, content, from, to) => {
    expect(await edited(of(rule, 'Dockerfile'), content)).toBe(content.replace(from, to));
  });

  it.each([
    ['already_fixed', 'DS002', 'FROM a:1\nUSER app\n'],
    ['already_fixed', 'DL3006', 'FROM a:1 AS x\nFROM x\nFROM scratch\nFROM $IMAGE\nFROM r:5000/a@sha256:b\n'],
    ['manifest_unreadable', 'DS002', 'hello'],
    ['place_not_found', 'DL3015', 'FROM a:1\nRUN echo'],
  ])('are left alone: %s by %s', async (reason, rule, content) => {
    expect(await plan(of(rule, 'Dockerfile'), content, { tag: '1' })).toMatchObject({ kind: 'none', reason });
  });

  it('close what other tools report of the same file', async () => {
    const other = of('CKV_DOCKER_3', 'Dockerfile', 7, { id: '2' });
    const elsewhere = of('CKV_DOCKER_3', 'b/Dockerfile', 7, { id: '3' });
    expect(await plan(of('DS002', 'Dockerfile'), CONTENT, undefined, [other, elsewhere])).toMatchObject({
      closes: ['1', '2'],
    });
  });
});

describe('workloads of Kubernetes', () => {
  const CONTENT = `# app
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  template:
    spec:
      containers:
        # the application
        - name: "app"   # quoted
          image: shop:1
          securityContext:
            privileged: true
        - name: side
          image: side:1
---
kind: Service
`;

  it.each([
    ['KSV017', 10, {}, 'privileged: true', 'privileged: false'],
    ['KSV001', 10, {}, 'privileged: true\n', 'privileged: true\n            allowPrivilegeEscalation: false\n'],
    [
      'CKV_K8S_37',
      14,
      {},
      'image: side:1\n',
      'image: side:1\n          securityContext:\n            capabilities:\n              drop: ["ALL"]\n',
    ],
    [
      'KSV018',
      14,
      { amount: '64Mi' },
      'image: side:1\n',
      'image: side:1\n          resources:\n            limits:\n              memory: "64Mi"\n',
    ],
    ['CKV_K8S_38', 3, {}, 'image: side:1\n', 'image: side:1\n      automountServiceAccountToken: false\n'],
  ])('%s on line %s', async (rule, line, values, from, to) => {
    expect(await edited(of(rule, 'k8s.yaml', line), CONTENT, values)).toBe(CONTENT.replace(from, to));
    const windows = CONTENT.replaceAll('\n', '\r\n');
    expect(await edited(of(rule, 'k8s.yaml', line), windows, values)).toBe(
      windows.replace(from.replaceAll('\n', '\r\n'), to.replaceAll('\n', '\r\n')),
    );
  });

  it('are edited in flow style too', async () => {
    const content = '{kind: Pod, spec: {containers: [{name: a}]}}';
    expect(await edited(of('KSV012', 'pod.yaml'), content)).toBe(
      '{kind: Pod, spec: {containers: [{"securityContext": {"runAsNonRoot":true}, name: a}]}}',
    );
  });

  it.each([
    ['manifest_unreadable', 'a: {{ .Values.a }}\n  b'],
    [
      'manifest_unreadable',
      `a: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nkind: Pod\nspec:\n  containers:\n    - name: a\n    - [${'*c,'.repeat(50)}]\n`,
    ],
    [
      'place_not_found',
      'kind: Pod\nspec: {containers: [{name: a}]}\n---\nkind: Pod\nspec: {containers: [{name: b}]}\n',
    ],
    ['place_not_found', 'kind: Service\n'],
    ['place_not_found', 'kind: Pod\nx: &x {a: 1}\nspec:\n  containers:\n    - name: a\n      securityContext: *x\n'],
  ])('are left alone: %s', async (reason, content) => {
    expect(await plan(of('KSV012', 'pod.yaml'), content)).toMatchObject({ kind: 'none', reason });
  });
});

describe('Terraform', () => {
  const CONTENT = `# resource "aws_db_instance" "none" {
resource "aws_db_instance" "main" {
  name     = "a } \${var.x["}"]} {"
  multi_az = false # costs
  policy = <<EOF
}
EOF
  storage_encrypted = var.encrypted
}

resource "aws_s3_bucket" "logs" {}
`;

  it.each([
    ['CKV_AWS_157', 'multi_az = false', 'multi_az = true'],
    ['CKV_AWS_161', 'var.encrypted\n', 'var.encrypted\n  iam_database_authentication_enabled = true\n'],
    [
      'AVD-AWS-0090',
      '"logs" {}',
      '"logs" {}\n\nresource "aws_s3_bucket_versioning" "logs" {\n  bucket = aws_s3_bucket.logs.id\n  versioning_configuration {\n    status = "Enabled"\n  }\n}',
    ],
  ])('%s', async (rule, from, to) => {
    expect(await edited(of(rule, 'main.tf'), CONTENT)).toBe(CONTENT.replace(from, to));
  });

  it('completes a resource that stands beside its bucket', async () => {
    const content = `${CONTENT}resource "aws_s3_bucket_public_access_block" "x" {\n\tbucket = aws_s3_bucket.logs.id\n\tblock_public_acls = false\n}`;
    const text = await edited(
      of('CKV2_AWS_6', 'main.tf', null, { resource: 'module.a[0].aws_s3_bucket.logs' }),
      content,
    );
    expect(text).toContain('block_public_acls = true\n');
    expect(text.match(/aws_s3_bucket_public_access_block/g)).toHaveLength(1);
    expect(text).toContain('restrict_public_buckets = true\n}');
  });

  it.each([
    ['place_not_found', 'CKV_AWS_16', CONTENT],
    ['place_not_found', 'CKV_AWS_163', CONTENT],
    ['manifest_unreadable', 'CKV_AWS_157', 'resource "aws_db_instance" "a" {'],
    ['manifest_unreadable', 'CKV_AWS_157', 'a }'],
    ['already_fixed', 'CKV_AWS_157', 'resource "aws_db_instance" "a" {\n  multi_az=true\n}'],
    ['no_template', 'CKV_AWS_9999', CONTENT],
  ])('is left alone: %s by %s', async (reason, rule, content) => {
    expect(await plan(of(rule, 'main.tf'), content)).toMatchObject({ kind: 'none', reason });
  });

  it('takes no value that ends a string', async () => {
    expect(await plan(of('CKV_AWS_18', 'main.tf'), CONTENT, { target: 'a"\n}' })).toMatchObject({
      changes: [],
      template: { problems: { target: expect.any(String) } },
    });
  });
});

describe('workflows and secrets', () => {
  const WORKFLOW =
    "on: push\r\njobs:\r\n  a:\r\n    steps:\r\n      - uses: 'actions/checkout@v4' \r\n      - uses: a/b/c@main # why\r\n      - uses: ./own\r\n";
  const file = '.github/workflows/ci.yml';
  const commit = 'a'.repeat(40);
  const pin = of('yaml.github-actions.security.third-party-action-not-pinned-to-commit-sha', file, null, {
    type: 'CI/CD',
  });

  it('pin actions to the commits that their tags stand at', async () => {
    const asked: string[] = [];
    const answer = await planFix({
      finding: pin,
      related: [],
      files: [{ path: file, content: WORKFLOW }],
      resolveRef: async (repository, ref) => {
        asked.push(`${repository}@${ref}`);
        return { commit };
      },
    });
    expect(asked).toEqual(['actions/checkout@v4', 'a/b@main']);
    expect(answer.kind === 'change' && answer.changes[0]?.after).toBe(
      WORKFLOW.replace("@v4' ", `@${commit}'  # v4`).replace('@main #', `@${commit} #`),
    );
  });

  it.each([undefined, async () => undefined, async () => ({ commit: 'main; rm' })])(
    'are not pinned to what nobody knows',
    async (resolveRef) => {
      const answer = await planFix({
        finding: pin,
        related: [],
        files: [{ path: file, content: WORKFLOW }],
        ...(resolveRef ? { resolveRef } : {}),
      });
      expect(answer).toMatchObject({ kind: 'none', reason: 'unresolved_reference' });
    },
  );

  it('limit the token', async () => {
    const own = of('CKV2_GHA_1', file);
    expect(await edited(own, WORKFLOW)).toBe(
      WORKFLOW.replace('jobs:', 'permissions:\r\n  contents: read\r\n\r\njobs:'),
    );
    expect(await edited(own, `permissions: write-all\n${WORKFLOW}`)).toBe(
      `permissions: {"contents":"read"}\n${WORKFLOW}`,
    );
    expect(await plan(own, `permissions: {issues: write}\n${WORKFLOW}`)).toMatchObject({ reason: 'place_not_found' });
  });

  it.each([
    ['aws-access-key-id', 'secret.aws', 'CloudTrail'],
    ['private-key', 'secret.private-key', 'certificate'],
    ['jwt-token', 'secret.jwt', 'session'],
    ['github-pat', 'secret.source-control', 'audit log'],
    ['something', 'secret.other', 'revoke'],
  ])('give a checklist for %s', async (ruleId, key, word) => {
    const answer = await plan(of(ruleId, 'a.ts', 3, { type: 'Secrets', title: 'A `secret`' }), '');
    expect(answer).toMatchObject({ kind: 'issue', group: { key }, closes: ['1'] });
    expect(answer.kind === 'issue' && answer.description).toContain(word);
  });
});
