import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { toolLabel } from '@breakwater/core/findings/model/labels.ts';
import {
  type AnyConnector,
  CATEGORIES,
  connectorAddress,
  FINDING_TYPES,
  type Plugin,
  readManifest,
} from '@breakwater/sdk';
import { describe, expect, it } from 'vitest';

/** The cards that the product must have. `catalogue.json` is the specification's own list: §9 with what §3 to §5 say of each card. */
interface Wanted {
  id: string;
  title: string;
  category: string;
  type?: string;
  tool?: string;
  commercial?: boolean;
  disabled?: string;
  form?: string[];
}

const root = path.join(import.meta.dirname, '..');
const { tools, others, added, categories }: Record<'tools' | 'others' | 'added', Wanted[]> & { categories: string[] } =
  JSON.parse(await readFile(path.join(import.meta.dirname, '__fixtures__/catalogue.json'), 'utf8'));
const scanners = [...tools, ...added];
const wanted = [...scanners, ...others];

const plugins: Plugin[] = [];
for (const folder of await readdir(path.join(root, 'plugins'))) {
  const module: { plugin?: unknown } = await import(path.join(root, 'plugins', folder, 'src/plugin.ts'));
  plugins.push(readManifest(module.plugin));
}
const cards = new Map<string, AnyConnector>();
for (const card of plugins.flatMap((plugin) => plugin.connectors)) cards.set(card.id, card);
const importers = new Set(plugins.flatMap((plugin) => plugin.importers.map(({ tool }) => tool)));
const formats = plugins.flatMap((plugin) => plugin.importers);
const cardOf = (id: string): AnyConnector => cards.get(id)!;

/** Fields that are ours, with the reason in `catalogue.json`. */
const OURS: Readonly<Record<string, string[]>> = {
  oracle_oci: ['region'],
  github: ['refresh_token'],
  gitlab: ['oauth_client_id', 'oauth_client_secret'],
  gitea: ['refresh_token', 'oauth_client_id', 'oauth_client_secret'],
  webhook: ['signing_secret'],
  jira_cloud: ['priorities', 'done_transition', 'webhook_secret'],
  jira_data_center: ['priorities', 'done_transition', 'webhook_secret'],
  slack: ['channel'],
  'microsoft-teams': ['channel'],
  ai_remediator: ['input_price', 'output_price'],
  ai_validation: ['openai_input_price', 'openai_output_price'],
};

it('has every card once, and no other', () => {
  expect(plugins.flatMap((plugin) => plugin.connectors.map(({ id }) => id)).sort()).toEqual(
    wanted.map(({ id }) => id).sort(),
  );
  const addresses = [...cards.values()].map(({ category, title }) => connectorAddress(category, title));
  expect(new Set(addresses).size).toBe(addresses.length);
});

it.each(formats.map(({ tool, title }) => [tool, title] as const))('calls findings of %s by a name', (tool, title) => {
  expect(toolLabel(tool) === tool).toBe(title === tool);
});

it('says in README how many formats are read', async () => {
  const words = (await readFile(path.join(root, 'README.md'), 'utf8')).replaceAll(/\s+/g, ' ');
  expect(words).toContain(`It recognises the reports of ${formats.length} tools and formats`);
});

it('knows the categories of the specification', () => {
  expect(Object.keys(CATEGORIES).sort()).toEqual([...categories].sort());
});

describe.each(wanted.map((card) => [card.id, card] as const))('%s', (id, card) => {
  it('has title, category and marks', () => {
    const { title, category, commercial, disabled } = cardOf(id);
    expect({ title, category, commercial }).toEqual({
      title: card.title,
      category: card.category,
      commercial: card.commercial,
    });
    // A local folder is not disabled by the catalogue but by the operator's missing leave.
    if (id !== 'local') expect(disabled?.reason).toBe(card.disabled);
  });

  it('has the form', () => {
    const fields = (card.form ?? []).map((field) => field.split(' ')[0]);
    expect(Object.keys(cardOf(id).credentials.properties).sort()).toEqual([...fields, ...(OURS[id] ?? [])].sort());
    expect([...(cardOf(id).credentials.required ?? [])].sort()).toEqual(
      id === 'semgrep_cli' ? ['token'] : fields.sort(),
    );
  });

  it('explains every field and takes no secret in the open', () => {
    for (const [name, field] of Object.entries(cardOf(id).credentials.properties)) {
      expect(field.title, name).toMatch(/\S/);
      expect(field.description, name).toMatch(/\S/);
      const isSecret = /token$|secret|^webhook_url$|password|api_key|key_value|application_credentials/.test(name);
      expect('writeOnly' in field && field.writeOnly === true, name).toBe(isSecret);
    }
  });
});

describe.each(scanners.map((card) => [card.id, card] as const))('the scanner %s', (id, { type, tool }) => {
  it('brings its family, or says that its importer comes later', () => {
    const { parser, description } = cardOf(id);
    expect(FINDING_TYPES).toContain(type);
    if (tool !== undefined && importers.has(tool)) expect(parser).toEqual({ tool, family: type });
    else expect(description).toMatch(/; importer comes with the next release\.$/);
  });
});

it('has the defaults and types that the specification names', () => {
  const field = (id: string, name: string) => cardOf(id).credentials.properties[name];
  expect(field('ai_remediator', 'type')).toMatchObject({ default: 'azure', enum: ['azure', 'openai'] });
  expect(field('checkmarx', 'team_id')).toMatchObject({ type: 'integer' });
  expect(field('oracle_oci', 'region')).toMatchObject({ default: expect.stringMatching(/^[a-z]+-[a-z]+-\d$/) });
  expect(field('webhook', 'mapping')).toMatchObject({ type: 'object' });
});
