import { msg } from '../../../../platform/model/message.ts';
import { say } from '../../../../platform/model/sentence.ts';
import type { TemplateField } from '../../../model/fix.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { applyEdits, lineEndOf } from '../text/edits.ts';
import { type HclBlock, type HclContent, hclBlocks, hclEdits, hclLines } from '../text/hcl.ts';
import { type Template, type TemplateInput, template } from './template.ts';

/** The resource that a finding speaks of: by its address, else by its line, else the only one of its type. */
const resourceOf = ({ text, path, finding }: TemplateInput, types: readonly string[]): HclBlock => {
  const resources = hclBlocks(text).filter(({ words }) => words[0] === 'resource' && types.includes(words[1] ?? ''));
  // `module.shop[0].aws_s3_bucket.logs["a"]`
  const [type, name] = (finding.resource ?? '')
    .replaceAll(/\[[^\]]{0,20}\]/g, '')
    .split('.')
    .slice(-2);
  const named = resources.filter(({ words }) => words[1] === type && words[2] === name);
  const line = finding.startLine;
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const onLine = resources.filter(
    (block) => line !== null && lineOf(block.start) <= line && lineOf(block.bodyEnd) >= line,
  );
  const [found, other] = [named, onLine, resources].find((list) => list.length > 0) ?? [];
  if (found !== undefined && other === undefined) return found;
  throw new CannotFix(
    'place_not_found',
    say('{path} has {count} resources of {types}, and the report does not say which one it means.', {
      path,
      count: String(resources.length),
      types: types.join(' or '),
    }),
  );
};

type Content = (values: Readonly<Record<string, string>>) => HclContent;

const inResource =
  (types: readonly string[], content: Content) =>
  (input: TemplateInput): string =>
    applyEdits(input.text, hclEdits(input.text, resourceOf(input, types), content(input.values)));

/** A resource of its own that belongs to the bucket; one that stands in the file is completed. */
const besideBucket =
  (type: string, content: Content) =>
  (input: TemplateInput): string => {
    const bucket = resourceOf(input, ['aws_s3_bucket']);
    const name = bucket.words[2] ?? '';
    const { text } = input;
    const standing = hclBlocks(text).find(
      (block) =>
        block.words[1] === type && text.slice(block.bodyStart, block.bodyEnd).includes(`aws_s3_bucket.${name}.`),
    );
    if (standing !== undefined) return applyEdits(text, hclEdits(text, standing, content(input.values)));
    const lineEnd = lineEndOf(text);
    const lines = [
      '',
      '',
      `resource "${type}" "${name}" {`,
      ...hclLines({ bucket: `aws_s3_bucket.${name}.id`, ...content(input.values) }, '  '),
      '}',
    ];
    return applyEdits(text, [{ start: bucket.bodyEnd + 1, end: bucket.bodyEnd + 1, text: lines.join(lineEnd) }]);
  };

/** Only signs that have no meaning in a string of HCL. */
const NAME_PATTERN = '^[A-Za-z0-9_./:-]{1,500}$';

const field = (key: string, label: string, help: string, fallback?: string): TemplateField => ({
  key,
  label,
  help,
  ...(fallback === undefined ? {} : { default: fallback }),
  pattern: NAME_PATTERN,
  message: msg('Use letters, digits and the signs _ . / : - only.'),
});

/** One attribute of one type of resource. */
interface Attribute {
  readonly name: string;
  readonly title: string;
  readonly resource: readonly string[];
  readonly content: HclContent;
  readonly rules: readonly string[];
  /** Terraform makes the resource anew, or costs rise: said in the pull request. */
  readonly note?: string;
}

const REPLACES = msg('See by `terraform plan` whether the resource is made anew: take a copy of its data before.');
const DATABASE = ['aws_db_instance'];
const LOAD_BALANCER = ['aws_lb', 'aws_alb'];
const REGISTRY = ['aws_ecr_repository'];

const ATTRIBUTES: readonly Attribute[] = [
  {
    name: 'ecr.scan',
    title: msg('Scan images on push'),
    resource: REGISTRY,
    content: { image_scanning_configuration: { scan_on_push: 'true' } },
    rules: ['CKV_AWS_163', 'AVD-AWS-0030'],
  },
  {
    name: 'ecr.immutable',
    title: msg('Make the tags of images immutable'),
    resource: REGISTRY,
    content: { image_tag_mutability: '"IMMUTABLE"' },
    rules: ['CKV_AWS_51', 'AVD-AWS-0031'],
  },
  {
    name: 'ecr.encryption',
    title: msg('Encrypt the registry with a key of KMS'),
    resource: REGISTRY,
    content: { encryption_configuration: { encryption_type: '"KMS"' } },
    rules: ['CKV_AWS_136', 'AVD-AWS-0033'],
    note: REPLACES,
  },
  {
    name: 'subnet.no-public-ip',
    title: msg('Give no public addresses by default'),
    resource: ['aws_subnet'],
    content: { map_public_ip_on_launch: 'false' },
    rules: ['CKV_AWS_130', 'AVD-AWS-0164'],
    note: msg('See that nothing in the subnet has to be reached from outside.'),
  },
  {
    name: 'lb.deletion-protection',
    title: msg('Protect the load balancer from deletion'),
    resource: LOAD_BALANCER,
    content: { enable_deletion_protection: 'true' },
    rules: ['CKV_AWS_150'],
  },
  {
    name: 'lb.drop-invalid-headers',
    title: msg('Drop invalid headers'),
    resource: LOAD_BALANCER,
    content: { drop_invalid_header_fields: 'true' },
    rules: ['CKV_AWS_131', 'AVD-AWS-0052'],
  },
  {
    name: 'lb.tls',
    title: msg('Ask for TLS 1.2 or later'),
    resource: ['aws_lb_listener', 'aws_alb_listener'],
    content: { ssl_policy: '"ELBSecurityPolicy-TLS13-1-2-2021-06"' },
    rules: ['CKV_AWS_103', 'CKV2_AWS_74', 'AVD-AWS-0047'],
    note: msg('Clients without TLS 1.2 are refused.'),
  },
  {
    name: 'ecs.no-public-ip',
    title: msg('Give the service no public address'),
    resource: ['aws_ecs_service'],
    content: { network_configuration: { assign_public_ip: 'false' } },
    rules: ['CKV_AWS_333'],
    note: msg('The subnet needs another way to its registry, such as a NAT gateway.'),
  },
  {
    name: 'rds.encryption',
    title: msg('Encrypt the database'),
    resource: [...DATABASE, 'aws_rds_cluster'],
    content: { storage_encrypted: 'true' },
    rules: ['CKV_AWS_16', 'CKV_AWS_96', 'AVD-AWS-0080', 'AC_AWS_0003'],
    note: REPLACES,
  },
  {
    name: 'rds.iam',
    title: msg('Allow sign-in by IAM'),
    resource: DATABASE,
    content: { iam_database_authentication_enabled: 'true' },
    rules: ['CKV_AWS_161', 'AVD-AWS-0176', 'AC_AWS_0004'],
  },
  {
    name: 'rds.not-public',
    title: msg('Keep the database off the internet'),
    resource: DATABASE,
    content: { publicly_accessible: 'false' },
    rules: ['CKV_AWS_17', 'AVD-AWS-0180', 'AC_AWS_0002'],
    note: msg('See that nobody reaches the database from outside of its network.'),
  },
  {
    name: 'rds.minor-upgrades',
    title: msg('Take minor versions of the database by themselves'),
    resource: DATABASE,
    content: { auto_minor_version_upgrade: 'true' },
    rules: ['CKV_AWS_226', 'AC_AWS_0005'],
  },
  {
    name: 'rds.deletion-protection',
    title: msg('Protect the database from deletion'),
    resource: DATABASE,
    content: { deletion_protection: 'true' },
    rules: ['CKV_AWS_293', 'AVD-AWS-0177'],
  },
  {
    name: 'rds.insights',
    title: msg('Record the performance of the database'),
    resource: DATABASE,
    content: { performance_insights_enabled: 'true' },
    rules: ['CKV_AWS_353', 'AVD-AWS-0133'],
  },
  {
    name: 'rds.multi-az',
    title: msg('Run the database in two zones'),
    resource: DATABASE,
    content: { multi_az: 'true' },
    rules: ['CKV_AWS_157'],
    note: msg('A second instance runs along and is paid for.'),
  },
  {
    name: 'rds.tags',
    title: msg('Copy tags to snapshots'),
    resource: DATABASE,
    content: { copy_tags_to_snapshot: 'true' },
    rules: ['CKV2_AWS_60'],
  },
  {
    name: 'ec2.imds',
    title: msg('Ask for tokens at the metadata service'),
    resource: ['aws_instance', 'aws_launch_template'],
    content: { metadata_options: { http_endpoint: '"enabled"', http_tokens: '"required"' } },
    rules: ['CKV_AWS_79', 'AVD-AWS-0028', 'AVD-AWS-0130'],
  },
  {
    name: 'kms.rotation',
    title: msg('Rotate the key every year'),
    resource: ['aws_kms_key'],
    content: { enable_key_rotation: 'true' },
    rules: ['CKV_AWS_7', 'AVD-AWS-0065'],
  },
  {
    name: 'ebs.encryption',
    title: msg('Encrypt the volume'),
    resource: ['aws_ebs_volume'],
    content: { encrypted: 'true' },
    rules: ['CKV_AWS_3', 'AVD-AWS-0026'],
    note: REPLACES,
  },
  {
    name: 'git.private',
    title: msg('Make the repository private'),
    resource: ['github_repository'],
    content: { visibility: '"private"' },
    rules: ['CKV_GIT_1', 'AVD-GIT-0001'],
    note: msg('Forks of a public repository are cut off.'),
  },
  {
    name: 'git.alerts',
    title: msg('Switch on alerts of vulnerable dependencies'),
    resource: ['github_repository'],
    content: { vulnerability_alerts: 'true' },
    rules: ['CKV_GIT_3', 'AVD-GIT-0003'],
  },
  {
    name: 'git.reviews',
    title: msg('Ask for two approvals'),
    resource: ['github_branch_protection'],
    content: { required_pull_request_reviews: { required_approving_review_count: '2' } },
    rules: ['CKV_GIT_5'],
  },
  {
    name: 'git.signed',
    title: msg('Ask for signed commits'),
    resource: ['github_branch_protection'],
    content: { require_signed_commits: 'true' },
    rules: ['CKV_GIT_6', 'AVD-GIT-0004'],
  },
];

const BLOCK_PUBLIC: HclContent = {
  block_public_acls: 'true',
  block_public_policy: 'true',
  ignore_public_acls: 'true',
  restrict_public_buckets: 'true',
};

const BUCKET_TEMPLATES: readonly Template[] = [
  template({
    name: 'terraform.s3.public-access',
    title: msg('Block public access to the bucket'),
    why: 'A list or policy that makes it public by mistake has then no effect.',
    rules: [
      'CKV2_AWS_6',
      'CKV_AWS_53',
      'CKV_AWS_54',
      'CKV_AWS_55',
      'CKV_AWS_56',
      'AVD-AWS-0086',
      'AVD-AWS-0087',
      'AVD-AWS-0091',
      'AVD-AWS-0093',
      'AVD-AWS-0094',
    ],
    isBreaking: true,
    remaining: [msg('See that nobody outside of the account reads from the bucket.')],
    edit: besideBucket('aws_s3_bucket_public_access_block', () => BLOCK_PUBLIC),
  }),
  template({
    name: 'terraform.s3.versioning',
    title: msg('Keep versions of the objects of the bucket'),
    why: 'What is deleted or overwritten can then be brought back.',
    rules: ['CKV_AWS_21', 'AVD-AWS-0090', '568a4d22-3517-44a6-a7ad-6a7eed88722c'],
    edit: besideBucket('aws_s3_bucket_versioning', () => ({ versioning_configuration: { status: '"Enabled"' } })),
  }),
  template({
    name: 'terraform.s3.encryption',
    title: msg('Encrypt the bucket with a key of KMS'),
    why: 'Whoever reads the objects then needs the right to the key as well.',
    rules: ['CKV_AWS_19', 'CKV_AWS_145', 'AVD-AWS-0088', 'AVD-AWS-0132', '6726dcc0-5ff5-459d-b473-a780bef7665c'],
    fields: [field('key', msg('Key'), msg('ARN or alias of the key.'), 'alias/aws/s3')],
    edit: besideBucket('aws_s3_bucket_server_side_encryption_configuration', ({ key = '' }) => ({
      rule: { apply_server_side_encryption_by_default: { sse_algorithm: '"aws:kms"', kms_master_key_id: `"${key}"` } },
    })),
  }),
  template({
    name: 'terraform.s3.logging',
    title: msg('Log who reads from the bucket'),
    why: 'Without a log nobody can say what was read after a breach.',
    rules: ['CKV_AWS_18', 'AVD-AWS-0089', 'f861041c-8c9f-4156-acfc-5e6e524f5884'],
    fields: [
      field('target', msg('Bucket of the logs'), msg('Name of a bucket that takes logs.')),
      field('prefix', msg('Prefix'), msg('What the names of the logs begin with.'), 'log/'),
    ],
    edit: besideBucket('aws_s3_bucket_logging', ({ target = '', prefix = '' }) => ({
      target_bucket: `"${target}"`,
      target_prefix: `"${prefix}"`,
    })),
  }),
];

/** Templates for Terraform. Rules: Checkov CKV_…, Trivy AVD-AWS-…, Terrascan AC_AWS_…, KICS by query id. */
export const TERRAFORM_TEMPLATES: readonly Template[] = [
  ...BUCKET_TEMPLATES,
  ...ATTRIBUTES.map(({ name, title, resource, content, rules, note }) =>
    template({
      name: `terraform.${name}`,
      title,
      why: `Sets what the rule asks of \`${resource.join('` or `')}\`.`,
      rules,
      isBreaking: note === REPLACES,
      remaining: note === undefined ? [] : [note],
      edit: inResource(resource, () => content),
    }),
  ),
  template({
    name: 'terraform.sns.encryption',
    title: msg('Encrypt the topic'),
    why: 'Messages that wait in the topic are then unreadable without the key.',
    rules: ['CKV_AWS_26', 'AVD-AWS-0095'],
    fields: [field('key', msg('Key'), msg('ARN or alias of the key.'), 'alias/aws/sns')],
    edit: inResource(['aws_sns_topic'], ({ key = '' }) => ({ kms_master_key_id: `"${key}"` })),
  }),
  template({
    name: 'terraform.log-encryption',
    title: msg('Encrypt the log group with a key of KMS'),
    why: 'Whoever reads the logs then needs the right to the key as well.',
    rules: ['CKV_AWS_158', 'AVD-AWS-0017'],
    fields: [field('key', msg('Key'), msg('ARN of the key; its policy has to allow the service of logs.'))],
    edit: inResource(['aws_cloudwatch_log_group'], ({ key = '' }) => ({ kms_key_id: `"${key}"` })),
  }),
];
