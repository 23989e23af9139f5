import { CERTAINTY, type Correlation } from './correlate.ts';

/**
 * Checks of configuration by what they are about, across tools. An entry is a rule's id without `AVD-`, hyphens and leading
 * zeros of Trivy's (`DS026`, `AVD-DS-0026` and `DS-0026` are `DS26`); of KICS and Terrascan, whose ids are made up per
 * file format or release, it is the title in lower case. Two checks stand in one class only where fixing one fixes the other.
 * Source: the tools' own lists of rules.
 */
const CHECK_CLASSES: Readonly<Record<string, readonly string[]>> = {
  // Dockerfile
  'image without health check': ['CKV_DOCKER_2', 'DS26', 'DL3057', 'healthcheck instruction missing'],
  'image runs as root': [
    ...['CKV_DOCKER_3', 'CKV_DOCKER_8', 'DS2', 'DL3002'],
    ...['missing user instruction', "last user is 'root'"],
  ],
  'image by latest tag': ['CKV_DOCKER_7', 'DS1', 'DL3006', 'DL3007', "image version using 'latest'"],
  'add in place of copy': ['CKV_DOCKER_4', 'DS5', 'DL3020', 'add instead of copy'],
  'relative workdir': ['CKV_DOCKER_10', 'DS9', 'DL3000', 'workdir path not absolute'],
  'alias of from used twice': ['CKV_DOCKER_11', 'DS12', 'DL3024', 'same alias in different froms'],
  'ssh port exposed': ['CKV_DOCKER_1', 'DS4', 'exposing port 22 (ssh)'],
  'maintainer instruction': ['CKV_DOCKER_6', 'DS22', 'DL4000', 'maintainer instruction being used'],
  'several cmd': ['DS16', 'DL4003', 'multiple cmd instructions listed'],
  'several entrypoint': ['DS7', 'DL4004', 'multiple entrypoint instructions listed'],
  'recommended packages installed': ['DS29', 'DL3015', 'apt-get install not avoiding additional packages'],
  // Kubernetes
  'process may gain privileges': ['CKV_K8S_20', 'KSV1', 'privilege escalation allowed'],
  'capabilities not dropped': ['CKV_K8S_37', 'KSV3', 'no drop capabilities for containers'],
  'container runs as root': ['CKV_K8S_23', 'KSV12', 'container running as root'],
  'container by latest tag': ['CKV_K8S_14', 'KSV13'],
  'container is privileged': ['CKV_K8S_16', 'KSV17', 'container is privileged'],
  'root file system is writable': ['CKV_K8S_22', 'KSV14', 'root container not mounted read-only'],
  'no cpu limit': ['CKV_K8S_11', 'KSV11', 'cpu limits not set'],
  'no cpu request': ['CKV_K8S_10', 'KSV15', 'cpu requests not set'],
  'no memory limit': ['CKV_K8S_13', 'KSV18', 'memory limits not defined'],
  'no memory request': ['CKV_K8S_12', 'KSV16', 'memory requests not defined'],
  'no seccomp profile': ['CKV_K8S_31', 'KSV30', 'seccomp profile is not configured'],
  'low user id': ['CKV_K8S_40', 'KSV20', 'container running with low uid'],
  'shares process ids of host': ['CKV_K8S_17', 'KSV10', 'shared host pid namespace'],
  'shares ipc of host': ['CKV_K8S_18', 'KSV8', 'shared host ipc namespace'],
  'shares network of host': ['CKV_K8S_19', 'KSV9', 'shared host network namespace'],
  'no liveness probe': ['CKV_K8S_8', 'liveness probe is not defined'],
  'service account token mounted': ['CKV_K8S_38', 'service account token automount not disabled'],
  // AWS
  'bucket not encrypted': ['CKV_AWS_19', 'AWS88', 's3 bucket without server-side-encryption', 's3 bucket sse disabled'],
  'bucket not encrypted by own key': ['CKV_AWS_145', 'AWS132'],
  'bucket without access log': ['CKV_AWS_18', 'AWS89', 's3 bucket logging disabled'],
  'bucket without versions': ['CKV_AWS_21', 'AWS90', 's3 bucket without versioning'],
  'bucket is public': ['CKV_AWS_20', 'AWS92', 's3 bucket acl allows read to all users'],
  'bucket may get public acl': ['CKV_AWS_53', 'AWS86', 's3 bucket allows public acl'],
  'bucket may get public policy': ['CKV_AWS_54', 'AWS87', 's3 bucket allows public policy'],
  'bucket heeds public acl': ['CKV_AWS_55', 'AWS91', 's3 bucket without ignore public acl'],
  'bucket access not restricted': ['CKV_AWS_56', 'AWS93', 's3 bucket without restriction of public bucket'],
  'database not encrypted': [
    ...['CKV_AWS_16', 'AWS80', 'db instance storage not encrypted'],
    'ensure that your rds database instances encrypt the underlying storage',
  ],
  'database is public': [
    ...['CKV_AWS_17', 'AWS180', 'rds db instance publicly accessible'],
    'rds instance publicly_accessible flag is true',
  ],
  'database without iam sign-in': [
    ...['CKV_AWS_161', 'AWS176', 'iam database auth not enabled'],
    'ensure that your rds database has iam authentication enabled',
  ],
  'volume not encrypted': ['CKV_AWS_3', 'AWS26', 'ebs volume encryption disabled'],
  'key not rotated': ['CKV_AWS_7', 'AWS65', 'cmk rotation disabled'],
  'image tags can change': ['CKV_AWS_51', 'AWS31', 'ecr image tag not immutable'],
  'image not scanned on push': ['CKV_AWS_163', 'AWS30', 'unscanned ecr image'],
  'metadata service without token': ['CKV_AWS_79', 'AWS28'],
  // Terraform itself
  'module not pinned': ['CKV_TF_1', 'CKV_TF_2', 'terraform_module_pinned_source'],
};

const CLASS_OF = new Map(
  Object.entries(CHECK_CLASSES).flatMap(([name, checks]) => checks.map((check) => [check, name] as const)),
);

/** `AVD-DS-0026`, `DS-0026`, `DS026`. */
const TRIVY_ID = /^(?:AVD-)?(DS|KSV|AWS)-?(\d{1,12})$/;

/** What a check of configuration is about; undefined where it is in no class. */
export const checkClassOf = (ruleId: string, title: string): string | undefined => {
  const [, kind, number] = TRIVY_ID.exec(ruleId) ?? [];
  const known = CLASS_OF.get(kind === undefined ? ruleId : `${kind}${Number(number)}`);
  if (known !== undefined) return known;
  const [sentence = ''] = title.toLowerCase().split('. ', 1);
  return CLASS_OF.get(sentence.replace(/\.$/, '').trim());
};

/** A failed check of configuration that is in a class. */
export interface Misconfiguration {
  id: string;
  tool: string;
  /** Path without a leading `/`. */
  path: string;
  checkClass: string;
  /** As the tool names it. */
  resource: string | null;
  line: number | null;
  endLine: number | null;
}

// at most 500 characters of a name
const TYPED = /(?:^|\.)([a-z][a-z0-9]*_[a-z0-9_]+)(?:\[([^\]]{1,200})\]|\.([\w-]+))/;
const NAMED = /metadata\.name=(?:\{\{)?([^}.\s]+)/;

/** `aws_s3_bucket.logs` of Terraform's `module.a.aws_s3_bucket.logs`, `aws_s3_bucket[logs]`; undefined for others. */
export const typedResource = (resource: string): string | undefined => {
  const [, type, bracketed, dotted] = TYPED.exec(resource.slice(0, 500)) ?? [];
  return type === undefined ? undefined : `${type}.${bracketed ?? dotted ?? ''}`;
};

/** Name alone: of Terraform, Kubernetes and CloudFormation. */
export const resourceName = (resource: string): string => {
  const typed = typedResource(resource);
  if (typed !== undefined) return typed.slice(typed.indexOf('.') + 1);
  const last = resource.slice(Math.max(resource.lastIndexOf('.'), resource.lastIndexOf('/')) + 1);
  const name = NAMED.exec(resource)?.[1] ?? (last === '' ? resource : last);
  return name.toLowerCase();
};

type Same = (a: Misconfiguration, b: Misconfiguration) => boolean;

const isSameResource: Same = (a, b) => {
  const [left, right] = [typedResource(a.resource ?? ''), typedResource(b.resource ?? '')];
  return left !== undefined && left === right;
};
const isOtherResource: Same = (a, b) => {
  const [left, right] = [typedResource(a.resource ?? ''), typedResource(b.resource ?? '')];
  return left !== undefined && right !== undefined && left !== right;
};
const isSameName: Same = (a, b) =>
  a.resource !== null &&
  b.resource !== null &&
  !isOtherResource(a, b) &&
  resourceName(a.resource) === resourceName(b.resource);
const isOverlapping: Same = (a, b) =>
  a.line !== null &&
  b.line !== null &&
  !isOtherResource(a, b) &&
  a.line <= (b.endLine ?? b.line) &&
  b.line <= (a.endLine ?? a.line);
/** Some tools give such a check a line of the file, others the whole file or none. */
const isOfWholeFile: Same = (a) => a.checkClass.startsWith('image ');

const ROUNDS: readonly { same: Same; certainty: Correlation['certainty'] }[] = [
  { same: isSameResource, certainty: CERTAINTY.certain },
  { same: isSameName, certainty: CERTAINTY.likely },
  { same: isOverlapping, certainty: CERTAINTY.likely },
  { same: isOfWholeFile, certainty: CERTAINTY.likely },
];

/** Where one file has more failures of one class, comparing each with each would take longer than it tells. */
const MAX_COMPARED = 100;

/** Correlations of two tools; where one result fits several of the other tool's, it is only possibly the same, and nothing is correlated. */
const correlateTools = (left: readonly Misconfiguration[], right: readonly Misconfiguration[]): Correlation[] => {
  const correlated = new Set<Misconfiguration>();
  return ROUNDS.flatMap(({ same, certainty }) => {
    const [as, bs] = [left.filter((one) => !correlated.has(one)), right.filter((one) => !correlated.has(one))];
    return as.flatMap((a) => {
      const fitting = bs.filter((b) => same(a, b));
      const [b] = fitting;
      if (b === undefined || fitting.length > 1 || as.some((other) => other !== a && same(other, b))) return [];
      correlated.add(a).add(b);
      return [{ a: a.id, b: b.id, certainty }];
    });
  });
};

const groupBy = (items: readonly Misconfiguration[], key: (item: Misconfiguration) => string): Misconfiguration[][] => [
  ...Map.groupBy(items, key).values(),
];

/** Which failed checks of different tools say the same: one class of check, in one file, about one resource. */
export const misconfigurationCorrelations = (items: readonly Misconfiguration[]): Correlation[] =>
  groupBy(items, (item) => `${item.checkClass}\n${item.path}`).flatMap((group) => {
    if (group.length > MAX_COMPARED) return [];
    const tools = groupBy(group, (item) => item.tool);
    return tools.flatMap((left, index) => tools.slice(index + 1).flatMap((right) => correlateTools(left, right)));
  });
