import { msg } from '../../../../platform/model/message.ts';
import { say } from '../../../../platform/model/sentence.ts';
import type { TemplateField } from '../../../model/fix.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { type Instruction, readDockerfile } from '../text/dockerfile.ts';
import { applyEdits, lineEndOf, type TextEdit } from '../text/edits.ts';
import { type Template, type TemplateInput, template } from './template.ts';

const read = ({ path, text }: TemplateInput): readonly Instruction[] => {
  const instructions = readDockerfile(text);
  if (instructions.some(({ keyword }) => keyword === 'FROM')) return instructions;
  throw new CannotFix('manifest_unreadable', say('{path} has no FROM: it is no Dockerfile.', { path }));
};

const argumentsOf = (text: string, { argumentsStart, end }: Instruction): string => text.slice(argumentsStart, end);

/** Those of the image itself, not of the stages before it. */
const finalStage = (instructions: readonly Instruction[]): readonly Instruction[] => {
  const last = instructions.at(-1)?.stage ?? 0;
  return instructions.filter(({ stage }) => stage === last);
};

/** Inserts a line before the start command of the image, or at its end where it has none of its own. */
const beforeStart = (text: string, stage: readonly Instruction[], line: string): string => {
  const start = stage.find(({ keyword }) => keyword === 'CMD' || keyword === 'ENTRYPOINT');
  const lineEnd = lineEndOf(text);
  if (start !== undefined)
    return applyEdits(text, [{ start: start.start, end: start.start, text: `${line}${lineEnd}` }]);
  const end = stage.at(-1)?.end ?? text.length;
  return applyEdits(text, [{ start: end, end, text: `${lineEnd}${line}` }]);
};

/** Instructions of a kind that the finding speaks of: those on its lines, else all. */
const meant = (
  instructions: readonly Instruction[],
  keyword: string,
  { finding }: TemplateInput,
): readonly Instruction[] => {
  const all = instructions.filter((instruction) => instruction.keyword === keyword);
  const [first, last] = [finding.startLine, finding.endLine ?? finding.startLine];
  const onLines = all.filter(
    ({ firstLine, lastLine }) => first !== null && last !== null && first <= lastLine && last >= firstLine,
  );
  return onLines.length > 0 ? onLines : all;
};

const USER_FIELD: TemplateField = {
  key: 'user',
  label: msg('User'),
  help: msg('Name or number of the user, with a group if wanted. A number needs no entry in the image.'),
  default: '10001:10001',
  pattern: '^(?!root(?::|$))(?!0+(?::|$))[a-z0-9_][a-z0-9_.-]{0,31}(?::[a-z0-9_][a-z0-9_.-]{0,31})?$',
  message: msg('Give a user other than root, such as 10001:10001 or app.'),
};

const editUser = (input: TemplateInput): string => {
  const stage = finalStage(read(input));
  const user = stage.findLast(({ keyword }) => keyword === 'USER');
  if (user === undefined) return beforeStart(input.text, stage, `USER ${input.values.user ?? ''}`);
  if (!/^["']?(?:root|0+)["']?(?::|\s|$)/.test(argumentsOf(input.text, user))) return input.text;
  return applyEdits(input.text, [{ start: user.argumentsStart, end: user.end, text: input.values.user ?? '' }]);
};

const editHealthcheck = (input: TemplateInput): string => {
  const stage = finalStage(read(input));
  if (stage.some(({ keyword }) => keyword === 'HEALTHCHECK')) return input.text;
  return beforeStart(input.text, stage, `HEALTHCHECK CMD ${input.values.command ?? ''}`);
};

/** Image of a FROM without tag and digest, or with `latest`; stages and `scratch` have none. */
const untaggedImage = (text: string, from: Instruction, stages: ReadonlySet<string>): TextEdit | undefined => {
  const match = /^((?:--\S+\s+)*)(\S+)/.exec(argumentsOf(text, from));
  const [, flags = '', image = ''] = match ?? [];
  const bare = image.replace(/:latest$/, '');
  const hasTag = /[@$]/.test(bare) || bare.slice(bare.lastIndexOf('/') + 1).includes(':');
  if (hasTag || bare === 'scratch' || stages.has(bare.toLowerCase())) return undefined;
  const start = from.argumentsStart + flags.length;
  return { start, end: start + image.length, text: bare };
};

const editTag = (input: TemplateInput): string => {
  const instructions = read(input);
  const stages = new Set(
    instructions.flatMap((instruction) => {
      const name =
        instruction.keyword === 'FROM'
          ? /\sas\s+(\S+)\s*$/i.exec(argumentsOf(input.text, instruction))?.[1]
          : undefined;
      return name === undefined ? [] : [name.toLowerCase()];
    }),
  );
  const edits = meant(instructions, 'FROM', input).flatMap((from) => untaggedImage(input.text, from, stages) ?? []);
  const [edit] = edits;
  if (edit === undefined) return input.text;
  if (new Set(edits.map(({ text }) => text)).size > 1) {
    throw new CannotFix(
      'place_not_found',
      say('{path} has several images without a tag, and the report names no line.', { path: input.path }),
    );
  }
  return applyEdits(
    input.text,
    edits.map((one) => ({ ...one, text: `${one.text}:${input.values.tag ?? ''}` })),
  );
};

/** Adds an option to `install` of a package manager, wherever it does not have it. */
const addOption =
  (program: RegExp, option: string, isThere: RegExp) =>
  (input: TemplateInput): string => {
    // one entry for each command of a shell
    const commands = meant(read(input), 'RUN', input).flatMap((run) =>
      [...argumentsOf(input.text, run).matchAll(/[^&|;]+/g)].flatMap(({ 0: command, index }) => {
        const install = /\sinstall(?=\s|$)/.exec(command);
        return install !== null && program.test(command.slice(0, install.index + 1))
          ? [{ command, at: run.argumentsStart + index + install.index + install[0].length }]
          : [];
      }),
    );
    if (commands.length === 0) {
      throw new CannotFix(
        'place_not_found',
        say('{path} does not run the command that the report names.', { path: input.path }),
      );
    }
    const edits = commands.flatMap(({ command, at }): TextEdit[] =>
      isThere.test(command) ? [] : [{ start: at, end: at, text: ` ${option}` }],
    );
    return applyEdits(input.text, edits);
  };

/** Archives that are unpacked and addresses that are fetched are what ADD is for. */
const editAdd = (input: TemplateInput): string => {
  const edits = meant(read(input), 'ADD', input).flatMap((add): TextEdit[] => {
    const isMeant = /\b(?:https?|git|ssh):|\.(?:tar|tgz|tbz2?|txz|gz|bz2|xz|zst)\b|<</i.test(
      argumentsOf(input.text, add),
    );
    return isMeant ? [] : [{ start: add.start, end: add.start + 'ADD'.length, text: 'COPY' }];
  });
  return applyEdits(input.text, edits);
};

const editPipefail = (input: TemplateInput): string => {
  const instructions = read(input);
  const [run] = meant(instructions, 'RUN', input).filter((one) => argumentsOf(input.text, one).includes('|'));
  if (run === undefined) return input.text;
  const earlier = instructions.filter(({ stage, start }) => stage === run.stage && start < run.start);
  if (earlier.some((one) => one.keyword === 'SHELL' && argumentsOf(input.text, one).includes('pipefail')))
    return input.text;
  const line = `SHELL ["${input.values.shell ?? ''}", "-o", "pipefail", "-c"]${lineEndOf(input.text)}`;
  return applyEdits(input.text, [{ start: run.start, end: run.start, text: line }]);
};

/** Templates for Dockerfiles. Rules: hadolint DL…, Trivy DS…, Checkov CKV_DOCKER_…, KICS by query id. */
export const DOCKERFILE_TEMPLATES: readonly Template[] = [
  template({
    name: 'docker.user',
    title: msg('Run the container as a user without rights'),
    why: 'What runs as root in a container is root towards the kernel of the host when it breaks out.',
    rules: [
      'DL3002',
      'DS002',
      'CKV_DOCKER_3',
      'CKV_DOCKER_8',
      'fd54f200-402c-4333-a5a4-36ef6709af2f',
      'AC_DOCKER_0047',
    ],
    fields: [USER_FIELD],
    isBreaking: true,
    isWholeFile: true,
    remaining: [
      msg('See that the user may read and write the files that the process needs, and listens on a port above 1023.'),
    ],
    edit: editUser,
  }),
  template({
    name: 'docker.healthcheck',
    title: msg('Say how the health of the container is checked'),
    why: 'Without a check a process that hangs counts as healthy.',
    rules: ['DS026', 'CKV_DOCKER_2', 'b03a748a-542d-44f4-bb86-9199ab4fd2d5', 'DL3057'],
    fields: [
      {
        key: 'command',
        label: msg('Command'),
        help: msg(
          'Ends with 0 while the application answers, such as: curl --fail --silent http://localhost:8080/health || exit 1',
        ),
        pattern: '^[^\\r\\n\\\\]+$',
        message: msg('Give a command of one line without a backslash.'),
      },
    ],
    isWholeFile: true,
    edit: editHealthcheck,
  }),
  template({
    name: 'docker.tag',
    title: msg('Name the version of the base image'),
    why: 'Without a tag every build takes whatever is newest on that day.',
    rules: ['DL3006', 'DL3007', 'DS001', 'CKV_DOCKER_7', 'AC_DOCKER_0041', 'f45ea400-6bbe-4501-9fc7-1c3d75c32067'],
    fields: [
      {
        key: 'tag',
        label: msg('Tag'),
        help: msg('Version of the base image, best with its digest: 3.20 or 3.20@sha256:…'),
        pattern: '^(?!latest(?:@|$))[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(?:@sha256:[0-9a-f]{64})?$',
        message: msg('Give a tag other than latest, such as 3.20.'),
      },
    ],
    edit: editTag,
  }),
  template({
    name: 'docker.no-recommends',
    title: msg('Install only the packages that are named'),
    why: 'Recommended packages make the image larger and bring flaws of their own.',
    rules: ['DL3015', 'DS029', 'df746b39-6564-4fed-bf85-e9c44382303c'],
    remaining: [msg('See that nothing is missing that was only recommended.')],
    edit: addOption(/\bapt-get\s/, '--no-install-recommends', /--no-install-recommends/),
  }),
  template({
    name: 'docker.apt-yes',
    title: msg('Answer questions of apt-get with yes'),
    why: 'Nobody is there to answer during a build.',
    rules: ['DL3014', 'DS021', '77783205-c4ca-4f80-bb80-c777f267c547'],
    edit: addOption(/\bapt-get\s/, '-y', /\s(?:-[a-z]*y[a-z]*|--yes|--assume-yes)\b/),
  }),
  template({
    name: 'docker.pip-no-cache',
    title: msg('Keep the cache of pip out of the image'),
    why: 'Nobody uses it again in the image.',
    rules: ['DL3042'],
    edit: addOption(/\bpip[\d.]*\s/, '--no-cache-dir', /--no-cache-dir/),
  }),
  template({
    name: 'docker.copy',
    title: msg('Copy files by COPY'),
    why: 'ADD unpacks archives and fetches addresses as well, which nobody expects of files.',
    rules: ['DL3020', 'DS005', 'CKV_DOCKER_4', '9513a694-aa0d-41d8-be61-3271e056f36b'],
    edit: editAdd,
  }),
  template({
    name: 'docker.pipefail',
    title: msg('Fail the build where a part of a pipe fails'),
    why: 'A shell only looks at the last command of a pipe.',
    rules: ['DL4006'],
    fields: [
      {
        key: 'shell',
        label: msg('Shell'),
        help: msg('Path of a shell of the image that knows pipefail.'),
        default: '/bin/bash',
        pattern: '^/[A-Za-z0-9_./-]{1,100}$',
        message: msg('Give the path of a shell, such as /bin/bash.'),
      },
    ],
    edit: editPipefail,
  }),
];
