import { EXIT, fieldsOf, listOf, numberOf, printable, ServerError, textOf } from './api.ts';
import { type GateCommand, SEVERITIES, type Severity } from './arguments.ts';
import { type Context, findRepository, follow, itemsOf, type Outcome, type Repository } from './context.ts';

/** Every status but `mitigated`: the finding is still there. A test compares the list with the server's. */
export const OPEN_STATUSES = [
  ...['enriched', 'pending_input', 'ready', 'pr_submitted', 'issued', 'pr_accepted', 'reopened'],
] as const;
/** States of an import that has not ended. */
export const UNFINISHED = ['queued', 'running', 'parsing', 'merging'];
const IMPORTED = ['done', 'incomplete'];
/** Findings that are named. */
const SHOWN = 20;

type Filters = Readonly<Record<string, readonly string[] | string>>;

const queryOf = (filters: Filters): Record<string, readonly string[] | string> =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filters[${name}]`, value]));

/** What was uploaded before is counted: waits until no import of the repository is under way. */
const waitForImports = (context: Context, { id }: Repository): Promise<unknown> =>
  follow(context, async () => {
    const answer = await context.api.get('/scans', {
      ...queryOf({ repository: [id], status: UNFINISHED }),
      'pagination[pageSize]': 1,
    });
    const { total } = fieldsOf(fieldsOf(fieldsOf(answer).meta).pagination);
    const count = numberOf(total);
    return { isEnded: count === 0, text: count === 0 ? 'No import is under way.' : `Waiting for ${count} imports.` };
  });

/** The newest import of each tool and part of a branch. @throws ServerError where there is none: nothing was looked at */
const newestImports = async (
  { api }: Context,
  repository: Repository,
  branch: string | undefined,
): Promise<string[]> => {
  const named = (name: string | undefined): string | undefined => (name === repository.branch ? undefined : name);
  const newest = new Map<string, string>();
  for await (const item of itemsOf(api, '/scans', queryOf({ repository: [repository.id], status: IMPORTED }))) {
    const { _id, attributes } = fieldsOf(item);
    const scan = fieldsOf(attributes);
    // taking an import back, or deciding on one, brings nothing
    if (typeof scan.undoes === 'string' || typeof scan.settles === 'string') continue;
    if (named(textOf(scan.branch)) !== named(branch)) continue;
    const key = JSON.stringify([scan.tool, scan.part]);
    if (!newest.has(key)) newest.set(key, textOf(_id) ?? '');
  }
  if (newest.size === 0) {
    const where = branch === undefined ? repository.name : `${branch} of ${repository.name}`;
    throw new ServerError(
      `Nothing was imported for ${printable(where)} yet, so nothing can be new: upload a report first.`,
    );
  }
  return [...newest.values()];
};

const countFindings = async ({ api }: Context, filters: Filters): Promise<number> => {
  const answer = await api.get('/findings', { ...queryOf(filters), 'pagination[pageSize]': 1 });
  const { total } = fieldsOf(fieldsOf(fieldsOf(answer).meta).pagination);
  if (typeof total !== 'number')
    throw new ServerError('The answer of the server is no list of findings: is BREAKWATER_URL right?');
  return total;
};

interface Shown {
  id: string;
  severity: string;
  title: string;
  tool: string;
  repository: string;
  /** `src/a.py:12`, a component, or nothing. */
  location: string | null;
}

const shownOf = (item: unknown): Shown => {
  const { _id, attributes } = fieldsOf(item);
  const { severity, title, tool, repository, file_path, start_line, component } = fieldsOf(attributes);
  const file = textOf(file_path);
  const place =
    file === undefined ? textOf(component) : `${file}${typeof start_line === 'number' ? `:${start_line}` : ''}`;
  return {
    ...{
      id: textOf(_id) ?? '',
      severity: textOf(severity) ?? '',
      title: textOf(title) ?? '',
      tool: textOf(tool) ?? '',
    },
    ...{ repository: textOf(repository) ?? '', location: place ?? null },
  };
};

const worst = async ({ api }: Context, filters: Filters): Promise<Shown[]> => {
  const order = { sort_field: 'severity', sort: 'desc', 'pagination[pageSize]': SHOWN };
  return listOf(fieldsOf(await api.get('/findings', { ...queryOf(filters), ...order })).data).map(shownOf);
};

const lineOf = ({ severity, title, tool, repository, location }: Shown): string =>
  printable(
    `  ${severity.padEnd(13)} ${title}  [${tool}] ${repository}${location === null ? '' : ` ${location}`}`,
  ).replaceAll('\n', ' ');

const filtersOf = async (context: Context, command: GateCommand): Promise<Filters> => {
  const { repository: named, branch, isNewOnly } = command;
  const shared = { status: OPEN_STATUSES, false_positive: 'hide', accepted_risk: 'hide', is_duplicate: 'hide' };
  const ofBranch = branch === undefined ? {} : { branch: [branch] };
  if (named === undefined) return { ...shared, ...ofBranch };
  const repository = await findRepository(context.api, named);
  await waitForImports(context, repository);
  const filters = { ...shared, ...ofBranch, repository: [repository.id] };
  return isNewOnly ? { ...filters, first_scan: await newestImports(context, repository, branch) } : filters;
};

/** Whether findings of a severity, or worse ones, are open. */
export const gate = async (context: Context, command: GateCommand): Promise<Outcome> => {
  const filters = await filtersOf(context, command);
  const severities: readonly Severity[] = SEVERITIES.slice(0, SEVERITIES.indexOf(command.failOn) + 1);
  const counts: Partial<Record<Severity, number>> = {};
  for (const severity of severities)
    counts[severity] = await countFindings(context, { ...filters, severity: [severity] });
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const findings = total === 0 ? [] : await worst(context, { ...filters, severity: severities });
  const isPassed = total === 0;
  const what = `${command.isNewOnly ? 'new ' : ''}open findings of severity ${severities.join(', ')}`;
  const more = total > findings.length ? [`  … and ${total - findings.length} more`] : [];
  return {
    exitCode: isPassed ? EXIT.ok : EXIT.gateFailed,
    lines: isPassed
      ? [`Gate passed: no ${what}.`]
      : [`Gate failed: ${total} ${what}.`, ...findings.map(lineOf), ...more],
    document: { is_passed: isPassed, fail_on: command.failOn, total, counts, findings },
  };
};
