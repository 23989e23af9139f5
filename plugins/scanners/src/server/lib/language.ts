const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: 'sh bash zsh',
    c: 'c h',
    'c++': 'cc cpp cxx hpp hh',
    'c#': 'cs cshtml',
    css: 'css scss less',
    dart: 'dart',
    dockerfile: 'dockerfile',
    elixir: 'ex exs',
    go: 'go',
    groovy: 'groovy gradle',
    html: 'html htm ejs hbs mustache vue',
    java: 'java jsp',
    javascript: 'js jsx mjs cjs',
    json: 'json',
    kotlin: 'kt kts',
    lua: 'lua',
    php: 'php phtml',
    powershell: 'ps1 psm1',
    python: 'py pyi',
    ruby: 'rb erb',
    rust: 'rs',
    scala: 'scala',
    solidity: 'sol',
    sql: 'sql',
    swift: 'swift m mm',
    terraform: 'tf tfvars hcl',
    typescript: 'ts tsx mts cts',
    xml: 'xml',
    yaml: 'yaml yml',
  }).flatMap(([language, extensions]) => extensions.split(' ').map((extension) => [extension, language])),
);

/** Programming language from a file's name. */
export function languageOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  if (dot < 0 || name.startsWith('dockerfile')) return name.startsWith('dockerfile') ? 'dockerfile' : undefined;
  return BY_EXTENSION.get(name.slice(dot + 1));
}
