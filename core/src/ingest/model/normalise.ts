/** Path with `/`, without a leading `./` and without doubled separators. */
export const normalisePath = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '');

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
export const packageName = (name: string): string => (/[^/:]+$/.exec(name)?.[0] ?? name).toLowerCase();

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
