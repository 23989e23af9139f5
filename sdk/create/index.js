#!/usr/bin/env node
// Writes a new connector: four files from template/ with names and addresses put in, or two files of one without code. Needs nothing installed.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DraftError } from './no-code/draft.js';
import { draftFromCurl } from './no-code/from-curl.js';
import { draftFromOpenApi } from './no-code/from-openapi.js';
import { draftFromNothing, filesOf } from './no-code/write.js';

const USAGE = `Usage: create-breakwater-connector <name> [options]

  <name>             lower case with dashes; becomes the folder and the id of the connector
  --title <text>     name on the card (default: made from <name>)
  --category <key>   category of the catalogue, such as sast, sca or source-control (default: sast)
  --url <address>    root of the service's API (default: https://api.example.com/v1)
  --sdk <version>    version or tarball of @breakwater/sdk to depend on

Without code (connector.json and conformance.json):
  --no-code          from nothing
  --openapi <file>   from an OpenAPI 3 document in JSON, with --path </issues> of it
  --curl '<line>'    from a curl line; no secret of it is written
`;
const DEFAULT_URL = 'https://api.example.com/v1';
const TEMPLATE = new URL('./template/', import.meta.url);
const FILES = ['package.json', 'src/connector.ts', 'conformance.json', 'AGENTS.md'];
const MAX_LETTERS = 3;
/** What a card of the category most likely finds. */
const FAMILIES = {
  dast: 'DAST',
  sca: 'SCA',
  iac: 'IaC',
  sbom: 'SBOM',
  license: 'License',
  'secrets-pii-scan': 'Secrets',
  'container-security': 'Container',
  'ci-cd-posture': 'CI/CD',
};

const fail = (text) => {
  process.stderr.write(`${text}\n`);
  process.exit(2);
};

const readOptions = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        title: { type: 'string' },
        category: { type: 'string', default: 'sast' },
        url: { type: 'string' },
        'no-code': { type: 'boolean', default: false },
        openapi: { type: 'string' },
        path: { type: 'string' },
        curl: { type: 'string' },
        sdk: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return fail(`${error.message}\n\n${USAGE}`);
  }
};

/** A text inside single quotes of TypeScript or double quotes of JSON: nothing that would end them. */
const isPlain = (text) => /^[^'"\\\n]+$/.test(text);

/** The tarball that `npm run pack:sdk` makes, where this runs from the repository; else the published version. */
const defaultSdk = async () => {
  const { version } = JSON.parse(await readFile(new URL('./package.json', import.meta.url), 'utf8'));
  const tarball = new URL(`../dist/breakwater-sdk-${version}.tgz`, import.meta.url);
  return existsSync(tarball) ? `file:${tarball.pathname}` : version;
};

const draftOf = async ({ openapi, path: place, curl, url }) => {
  if (openapi !== undefined && curl !== undefined) throw new DraftError('Give --openapi or --curl, not both.');
  if (curl !== undefined) return draftFromCurl(curl);
  if (openapi === undefined) return draftFromNothing((url ?? DEFAULT_URL).replace(/\/+$/, ''));
  const text = await readFile(openapi, 'utf8').catch(() => fail(`--openapi: ${openapi} cannot be read.`));
  return draftFromOpenApi(text, place, url?.replace(/\/+$/, ''));
};

const writeWithoutCode = async ({ values, folder, name, title }) => {
  try {
    const draft = await draftOf(values);
    const type = FAMILIES[values.category] ?? 'SAST';
    const { files, fillIn } = filesOf(draft, { name, title, category: values.category, type });
    await mkdir(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
    process.stdout.write(`${name}/ is ready:\n${Object.keys(files)
      .map((file) => `  ${file}\n`)
      .join('')}
  npx -p @breakwater/sdk breakwater-connector test ${name}   bronze, offline, no account needed

Fill in:\n${fillIn.map((one) => `  ${one}\n`).join('')}`);
    if (draft.notWritten.length > 0)
      process.stdout.write(`\nNot written:\n${draft.notWritten.map((one) => `  ${one}\n`).join('')}`);
  } catch (error) {
    fail(error instanceof DraftError ? error.message : `The document cannot be used: ${error.message}`);
  }
};

const main = async () => {
  const { values, positionals } = readOptions();
  const [name] = positionals;
  if (values.help || positionals.length === 0) fail(USAGE);
  if (positionals.length > 1 || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 60)
    fail(
      `"${positionals.join(' ')}" is not a name: write lower case letters and digits with dashes, such as acme-scan.`,
    );
  const words = name.split('-').map((word) => word[0].toUpperCase() + word.slice(1));
  const title = values.title ?? words.join(' ');
  if (!isPlain(title)) fail('--title may not hold quotes or backslashes.');
  if (!/^[a-z-]+$/.test(values.category)) fail(`"${values.category}" is not a category; sast is one.`);
  const root = values.url ?? DEFAULT_URL;
  const address = URL.parse(root);
  if (address?.protocol !== 'https:' || !isPlain(root)) fail('--url must be an https address.');

  const folder = path.resolve(name);
  if (existsSync(folder) && (await readdir(folder)).length > 0)
    fail(`The folder ${name} exists already and holds something.`);
  if (values['no-code'] || values.openapi !== undefined || values.curl !== undefined)
    return writeWithoutCode({ values, folder, name, title });
  const replacements = [
    ['my-connector', name],
    ['My Connector', title],
    [
      "'MC'",
      `'${words
        .map((word) => word[0])
        .join('')
        .slice(0, MAX_LETTERS)}'`,
    ],
    ["'sast'", `'${values.category}'`],
    ["'SAST'", `'${FAMILIES[values.category] ?? 'SAST'}'`],
    ['"SAST"', `"${FAMILIES[values.category] ?? 'SAST'}"`],
    ["'https://api.example.com/v1'", `'${root.replace(/\/+$/, '')}'`],
    ['"https://api.example.com/v1"', `"${root.replace(/\/+$/, '')}"`],
    ['https://api.example.com', address.origin],
    ["'api.example.com'", `'${address.host}'`],
    ['"@breakwater/sdk": "0.1.0"', `"@breakwater/sdk": ${JSON.stringify(values.sdk ?? (await defaultSdk()))}`],
  ];
  for (const file of FILES) {
    const template = await readFile(new URL(file, TEMPLATE), 'utf8');
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(
      target,
      replacements.reduce((text, [from, to]) => text.replaceAll(from, to), template),
    );
  }
  process.stdout.write(`${name}/ is ready:\n${FILES.map((file) => `  ${file}\n`).join('')}
  cd ${name}
  npm install
  npm test            bronze and silver, offline, no account needed

Then put the real requests into src/connector.ts and what the service answers into conformance.json.
`);
};

await main();
