import type { NormalizedFinding } from '@breakwater/sdk';

/** A character no report text may carry, so that two different lists of parts never read the same. */
const SEPARATOR = '\u0000';

const partsOf = (finding: NormalizedFinding): readonly string[] => {
  if (finding.secretHash !== undefined) return ['secret', finding.secretHash];
  if (finding.component !== undefined) {
    const { name, ecosystem } = finding.component;
    return ['component', name, ecosystem ?? '', normaliseResource(finding.resource ?? '')];
  }
  const code = normaliseCode(finding.locations?.[0]?.snippet ?? '');
  if (code !== '') return ['code', code, finding.resource ?? ''];
  if (finding.fingerprint !== undefined) return ['fingerprint', finding.fingerprint];
  return ['place', finding.resource ?? ''];
};

/** `registry/app:1.2 (debian 12.4)`: how Trivy writes the place of an image's system packages. */
const IMAGE_LOCATION = /^\S+ \([^()]+\)$/;

/** Path of a package; of an image only what lasts from build to build, so that a new tag keeps findings and verdicts. */
export const artefactPath = (path: string): string => (IMAGE_LOCATION.test(path) ? normaliseResource(path) : path);

const pathOf = (finding: NormalizedFinding): string => {
  // addresses too, as they were stored so before: the digest of a finding stays what it is
  const path = collapse(finding.locations?.[0]?.path ?? '');
  return finding.component === undefined ? path : artefactPath(path);
};

/**
 * What makes a result the same in the next report: tool, rule, path, and code, component or secret. Never the line, the
 * severity, a text, or a version: a package that was updated and is still vulnerable keeps its finding and its verdict.
 * Results that are equal in all this are distinguished by an ordinal. Source: architecture §4.
 */
export const identityText = (tool: string, finding: NormalizedFinding): string => {
  return [tool, finding.ruleId, pathOf(finding), ...partsOf(finding)].join(SEPARATOR);
};

/** Whether the identity rests on more than rule and file: equal then means the same code, secret, package, fingerprint or resource. */
export const isTelling = (finding: NormalizedFinding): boolean =>
  finding.secretHash !== undefined ||
  finding.component !== undefined ||
  finding.fingerprint !== undefined ||
  (finding.resource ?? '') !== '' ||
  // the code of a secret is masked, the same for all of its kind
  (finding.type !== 'Secrets' && normaliseCode(finding.locations?.[0]?.snippet ?? '') !== '');

/** An address of the web; a drive has one letter, and an address of a file may begin with more slashes. */
const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\/(?!\/)/i;

const collapse = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '');

/** Path with `/`, without a leading `./` and without doubled separators. An address stays as it is. */
export const normalisePath = (path: string): string => (ADDRESS.test(path) ? path : collapse(path));

const MAX_CODE = 4000;

/** Code without what formatting changes: indentation, blank lines, runs of spaces. A single space, the most frequent, is passed over. */
export const normaliseCode = (code: string): string =>
  code
    .slice(0, MAX_CODE)
    .replace(/\s{2,}|[^\S ]/g, (run) => (run.includes('\n') ? '\n' : ' '))
    .trim();

/** Image or object without tag, digest and remarks, which change from build to build. */
export const normaliseResource = (resource: string): string => {
  const [name = ''] = resource.trim().split(/[\s@]/, 1);
  const tag = name.indexOf(':', name.lastIndexOf('/') + 1);
  return tag < 0 || name.startsWith('arn:') ? name : name.slice(0, tag);
};

/** Last part of a package name: `commons-io:commons-io`, `@scope/name` and `group/name` are known by it across tools. */
export const packageName = (name: string): string => {
  const part = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
  return (part === '' ? name : part).toLowerCase();
};

const LANGUAGES: Readonly<Record<string, string>> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  py: 'python',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  scala: 'scala',
  go: 'go',
  rb: 'ruby',
  php: 'php',
  cs: 'csharp',
  vb: 'visual basic',
  c: 'c',
  h: 'c',
  cc: 'c++',
  cpp: 'c++',
  cxx: 'c++',
  hpp: 'c++',
  rs: 'rust',
  swift: 'swift',
  m: 'objective-c',
  sh: 'bash',
  bash: 'bash',
  ps1: 'powershell',
  sql: 'sql',
  tf: 'terraform',
  html: 'html',
  htm: 'html',
  pug: 'pug',
  hbs: 'handlebars',
  vue: 'vue',
  css: 'css',
  scss: 'scss',
  yml: 'yaml',
  yaml: 'yaml',
  json: 'json',
  xml: 'xml',
  ex: 'elixir',
  exs: 'elixir',
  sol: 'solidity',
  dart: 'dart',
  lua: 'lua',
  pl: 'perl',
  r: 'r',
  groovy: 'groovy',
  gradle: 'groovy',
};

/** Language by the name of a file, in lower case; '' when the name does not tell. */
export const languageOfPath = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile' || name.startsWith('dockerfile.') || name.endsWith('.dockerfile')) return 'dockerfile';
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : (LANGUAGES[name.slice(dot + 1)] ?? '');
};
