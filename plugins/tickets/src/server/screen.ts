import { ConnectorError, type Static } from '@breakwater/sdk';
import type { CreatedFields } from './answers.ts';
import type { Flavour, JiraCtx } from './flavour.ts';
import { isNamed, listProjects, readFields, readTypes } from './requests.ts';

type Field = Extract<Static<typeof CreatedFields>, { fields: unknown }>['fields'][number];

/** Where issues of the connection are created. */
export interface Screen {
  /** Of the type. */
  readonly typeId: string;
  readonly fields: readonly Field[];
}

/** Fields that every ticket has; what else a screen requires stands in its way. */
const OURS = new Set(['project', 'issuetype', 'summary', 'description', 'labels', 'priority', 'reporter']);
const MAX_NAMED = 20;

const named = (names: readonly string[]): string =>
  `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}`;

async function projectKeys(ctx: JiraCtx, flavour: Flavour): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of listProjects(ctx, flavour)) {
    keys.push(key);
    if (keys.length > MAX_NAMED) break;
  }
  return keys;
}

async function findType(ctx: JiraCtx, flavour: Flavour, { project, type }: { project: string; type: string }) {
  const types = await readTypes(ctx, flavour, project);
  if (types === null) {
    const keys = await projectKeys(ctx, flavour);
    throw new ConnectorError('config', `Jira shows this account no project "${project}".`, {
      help: keys.length === 0 ? 'Give the account access to a project.' : `It sees these projects: ${named(keys)}.`,
    });
  }
  if (types.length === 0) {
    throw new ConnectorError('scope', `The account may not create issues in ${project}.`, {
      help: 'Give it the permission "Create issues" in the project.',
    });
  }
  const found = types.find(({ name }) => isNamed(name, type));
  if (found !== undefined) return found;
  throw new ConnectorError('config', `${project} has no issue type "${type}".`, {
    help: `Its issue types are: ${named(types.map(({ name }) => name))}.`,
  });
}

/**
 * The screen on which a ticket is created. @throws ConnectorError config, saying what stands in the way: no such project or type, no
 * field for labels, a required field that nobody fills; scope, where the account may not create issues
 */
export async function openScreen(
  ctx: JiraCtx,
  flavour: Flavour,
  at: { readonly project: string; readonly type: string },
): Promise<Screen> {
  const { id, name } = await findType(ctx, flavour, at);
  const fields = await readFields(ctx, flavour, { project: at.project, type: id });
  if (!fields.some(({ fieldId }) => fieldId === 'labels')) {
    throw new ConnectorError('config', `Issues of the type ${name} in ${at.project} cannot have labels.`, {
      help: 'Add the field "Labels" to the create screen: Breakwater knows its tickets again by a label.',
    });
  }
  const missing = fields.filter(
    ({ fieldId, required, hasDefaultValue }) => required && hasDefaultValue !== true && !OURS.has(fieldId),
  );
  if (missing.length > 0) {
    const names = named(missing.map((field) => `"${field.name}"`));
    throw new ConnectorError('config', `Issues of the type ${name} in ${at.project} require ${names}.`, {
      help: 'Give the field a default value in Jira, make it optional, or choose another type.',
    });
  }
  return { typeId: id, fields };
}
