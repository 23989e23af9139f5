import { msg } from '../../../../platform/model/message.ts';
import { say } from '../../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../../platform/model/translator.ts';
import type { TemplateField } from '../../../model/fix.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { editYaml, plainValue, readYaml, type YamlDocument, type YamlPath, type YamlValue } from '../text/edit-yaml.ts';
import { type Template, type TemplateInput, template } from './template.ts';

const POD_PATHS: Readonly<Record<string, YamlPath>> = {
  Pod: ['spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
};

/** A pod of a workload: the document that describes it and the way there. */
interface Pod {
  readonly index: number;
  readonly document: YamlDocument;
  readonly path: YamlPath;
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

const isOnLines = (
  text: string,
  range: readonly [number, number, number] | null | undefined,
  { finding }: TemplateInput,
): boolean => {
  const first = finding.startLine;
  if (range === null || range === undefined || first === null) return false;
  // a block reaches up to the line behind it
  const end = range[0] + text.slice(range[0], range[1]).trimEnd().length;
  return lineOf(text, range[0]) <= (finding.endLine ?? first) && lineOf(text, end) >= first;
};

const podOf = (input: TemplateInput): Pod => {
  const documents = readYaml(input.text, input.path);
  const pods = documents.flatMap((document, index): Pod[] => {
    const kind: unknown = document.get('kind');
    const path = typeof kind === 'string' && Object.hasOwn(POD_PATHS, kind) ? POD_PATHS[kind] : undefined;
    return path === undefined ? [] : [{ index, document, path }];
  });
  const named = pods.filter(({ document }) => isOnLines(input.text, document.range, input));
  const [pod, other] = named.length > 0 ? named : pods;
  if (pod !== undefined && other === undefined) return pod;
  throw new CannotFix(
    'place_not_found',
    say('{path} has {count} workloads, and the report does not say which one it means.', {
      path: input.path,
      count: String(pods.length),
    }),
  );
};

/** Containers that the finding speaks of: the one on its line, else all of the pod. */
const containersOf = (input: TemplateInput, pod: Pod): YamlPath[] => {
  const paths = ['initContainers', 'containers'].flatMap((list) => {
    const items: unknown = pod.document.getIn([...pod.path, list]);
    const count =
      typeof items === 'object' && items !== null && 'items' in items && Array.isArray(items.items)
        ? items.items.length
        : 0;
    return Array.from({ length: count }, (_, index): YamlPath => [...pod.path, list, index]);
  });
  const onLines = paths.filter((path) => {
    const node: unknown = pod.document.getIn(path, true);
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
    return Array.isArray(range) && isOnLines(input.text, [Number(range[0]), Number(range[1]), 0], input);
  });
  if (paths.length === 0)
    throw new CannotFix('place_not_found', say('{path} has a workload without containers.', { path: input.path }));
  return onLines.length > 0 ? onLines : paths;
};

const isSet = (pod: Pod, path: YamlPath, value: YamlValue, file: string): boolean => {
  const root = plainValue(pod.document, file);
  let at: unknown = root;
  for (const key of path)
    at =
      typeof at === 'object' && at !== null
        ? Object.entries(at).find(([name]) => name === String(key))?.[1]
        : undefined;
  return JSON.stringify(at) === JSON.stringify(value);
};

type Settings = (values: Readonly<Record<string, string>>) => readonly (readonly [YamlPath, YamlValue])[];

/** Sets values of the containers that are meant, or of their pod. */
const setting =
  (place: 'container' | 'pod', settings: Settings) =>
  (input: TemplateInput): string => {
    const pod = podOf(input);
    const places = place === 'pod' ? [pod.path] : containersOf(input, pod);
    let text = input.text;
    for (const path of places) {
      for (const [keys, value] of settings(input.values)) {
        const whole = [...path, ...keys];
        if (!isSet(pod, whole, value, input.path)) text = editYaml(text, input.path, pod.index, whole, value);
      }
    }
    return text;
  };

const container =
  (name: string, value: YamlValue): Settings =>
  () => [[['securityContext', name], value]];

const quantity = (key: string, label: string, help: string, fallback: string): TemplateField => ({
  key,
  label,
  help,
  default: fallback,
  pattern: '^(?=.*[1-9])[0-9]{1,9}(?:\\.[0-9]{1,3})?(?:m|k|M|G|T|Ki|Mi|Gi|Ti)?$',
  message: sayEnglish('Give an amount such as {amount}.', { amount: fallback }),
});

const LIMIT_TITLES = {
  limits: { cpu: msg('Set a limit of processor time'), memory: msg('Set a limit of memory') },
  requests: { cpu: msg('Set a request of processor time'), memory: msg('Set a request of memory') },
};

const limits = (
  name: string,
  kind: 'limits' | 'requests',
  unit: 'cpu' | 'memory',
  rules: readonly string[],
): Template =>
  template({
    name,
    title: LIMIT_TITLES[kind][unit],
    why: 'One container without bounds takes what the others of its node need.',
    rules,
    fields: [
      unit === 'cpu'
        ? quantity(
            'amount',
            msg('Processor time'),
            msg('In cores, or thousandths of a core: 500m.'),
            kind === 'limits' ? '500m' : '100m',
          )
        : quantity('amount', msg('Memory'), msg('In bytes with a unit: 256Mi.'), kind === 'limits' ? '256Mi' : '128Mi'),
    ],
    edit: setting('container', ({ amount = '' }) => [[['resources', kind, unit], amount]]),
  });

const host = (name: string, key: string, rules: readonly string[]): Template =>
  template({
    name,
    title: sayEnglish('Do not share the {name} namespace of the node', { name: key.slice('host'.length) }),
    why: 'What is shared with the node is open to whoever gets into the container.',
    rules,
    isBreaking: true,
    remaining: [msg('See that the workload does not need it, as agents of networks and of monitoring do.')],
    edit: setting('pod', () => [[[key], false]]),
  });

/** Templates for workloads of Kubernetes. Rules: Trivy KSV…, Checkov CKV_K8S_…, KICS by query id. */
export const KUBERNETES_TEMPLATES: readonly Template[] = [
  template({
    name: 'kubernetes.no-privilege-escalation',
    title: msg('Forbid processes to gain rights'),
    why: 'A process could otherwise gain more rights than its parent has.',
    rules: ['KSV001', 'CKV_K8S_20', '5572cc5e-1e4c-4113-92a6-7a8a3bd25e6d', 'a97a340a-0063-418e-b3a1-3028941d0995'],
    edit: setting('container', container('allowPrivilegeEscalation', false)),
  }),
  template({
    name: 'kubernetes.drop-capabilities',
    title: msg('Drop all capabilities'),
    why: 'Few applications need any capability of the kernel.',
    rules: ['KSV003', 'KSV106', 'CKV_K8S_37', 'CKV_K8S_28', '268ca686-7fb7-4ae9-b129-955a2a89064e'],
    isBreaking: true,
    remaining: [msg('Add those that the application needs, such as NET_BIND_SERVICE for ports below 1024.')],
    edit: setting('container', () => [[['securityContext', 'capabilities', 'drop'], ['ALL']]]),
  }),
  template({
    name: 'kubernetes.run-as-non-root',
    title: msg('Refuse to run as root'),
    why: 'What runs as root in a container is root towards the kernel of the node when it breaks out.',
    rules: ['KSV012', 'CKV_K8S_23', 'cf34805e-3872-4c08-bf92-6ff7bb0cfadb'],
    isBreaking: true,
    remaining: [msg('The image has to name a user by number, or set runAsUser.')],
    edit: setting('container', container('runAsNonRoot', true)),
  }),
  template({
    name: 'kubernetes.read-only-root',
    title: msg('Make the file system of the image read-only'),
    why: 'An attacker then has nowhere to put tools.',
    rules: ['KSV014', 'CKV_K8S_22', 'a9c2f49d-0671-4fc9-9ece-f4e261e128d0'],
    isBreaking: true,
    remaining: [msg('Mount an emptyDir wherever the application writes, such as /tmp.')],
    edit: setting('container', container('readOnlyRootFilesystem', true)),
  }),
  template({
    name: 'kubernetes.not-privileged',
    title: msg('Run without the privileges of the node'),
    why: 'A privileged container is not separated from its node.',
    rules: ['KSV017', 'CKV_K8S_16', 'dd29336b-fe57-445b-a26e-e6aa867ae609'],
    isBreaking: true,
    edit: setting('container', container('privileged', false)),
  }),
  template({
    name: 'kubernetes.seccomp',
    title: msg('Use the system call filter of the runtime'),
    why: 'It forbids calls of the kernel that applications do not need.',
    rules: ['KSV030', 'KSV104', 'CKV_K8S_31', 'f377b83e-bd07-4f48-a591-60c82b14a78b'],
    edit: setting('pod', () => [[['securityContext', 'seccompProfile', 'type'], 'RuntimeDefault']]),
  }),
  template({
    name: 'kubernetes.no-token',
    title: msg('Mount no token of the service account'),
    why: 'Few applications talk to the API of the cluster; the token opens it to whoever reads it.',
    rules: ['KSV036', 'CKV_K8S_38', '48471392-d4d0-47c0-b135-cdec95eb3eef'],
    isBreaking: true,
    remaining: [msg('See that the application does not talk to the API of the cluster.')],
    edit: setting('pod', () => [[['automountServiceAccountToken'], false]]),
  }),
  limits('kubernetes.cpu-limit', 'limits', 'cpu', ['KSV011', 'CKV_K8S_11', '4ac0e2b7-d2d2-4af7-8799-e8de6721ccda']),
  limits('kubernetes.memory-limit', 'limits', 'memory', [
    'KSV018',
    'CKV_K8S_13',
    '229588ef-8fde-40c8-8756-f4f2b5825ded',
  ]),
  limits('kubernetes.cpu-request', 'requests', 'cpu', ['KSV015', 'CKV_K8S_10', 'ca469dd4-c736-448f-8ac1-30a642705e0a']),
  limits('kubernetes.memory-request', 'requests', 'memory', ['KSV016', 'CKV_K8S_12']),
  host('kubernetes.host-network', 'hostNetwork', ['KSV009', 'CKV_K8S_19', '6b6bdfb3-c3ae-44cb-88e4-7405c1ba2c8a']),
  host('kubernetes.host-pid', 'hostPID', ['KSV010', 'CKV_K8S_17']),
  host('kubernetes.host-ipc', 'hostIPC', ['KSV008', 'CKV_K8S_18']),
];
