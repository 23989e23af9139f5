/** What the service is asked and answers, before it becomes a connector: made from nothing, an OpenAPI document or a curl line. */

/** Something about what was given is not usable; the message says what to do. */
export class DraftError extends Error {}

/** `Bearer {{api_token}}` and the like, with the fields of the form that it needs. */
export const AUTH = {
  bearer: () => ({ auth: { type: 'bearer', value: '{{api_token}}' }, fields: { api_token: secret('API token') } }),
  header: (name, prefix = '') => ({
    auth: { type: 'header', name, value: `${prefix}{{api_key}}` },
    fields: { api_key: secret('API key') },
  }),
  basic: () => ({
    auth: { type: 'basic', value: '{{username}}:{{password}}' },
    fields: { username: { type: 'string', title: 'User name', writeOnly: false }, password: secret('Password') },
  }),
  none: () => ({ auth: { type: 'none' }, fields: {} }),
};

const secret = (title) => ({ type: 'string', title, writeOnly: true });

/** Names that a service may use, the likeliest first. */
const NAMES = {
  ruleId: ['rule_id', 'ruleid', 'rule', 'check_id', 'checkid', 'cve', 'type', 'key', 'id'],
  title: ['title', 'message', 'summary', 'name', 'description'],
  severity: ['severity', 'level', 'priority', 'risk', 'criticality'],
};
const PLACES = {
  path: ['file', 'path', 'filename', 'file_path', 'filepath'],
  startLine: ['line', 'start_line', 'startline', 'line_number'],
};
const SEVERITIES = {
  critical: 'critical',
  blocker: 'critical',
  high: 'high',
  major: 'high',
  error: 'high',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
  low: 'low',
  minor: 'low',
  info: 'informational',
  informational: 'informational',
  note: 'low',
  none: 'informational',
};

/** The first of these names that a record has, as it is written there. */
const nameIn = (record, names) => {
  const own = Object.keys(record);
  return names.map((name) => own.find((one) => one.toLowerCase() === name)).find((name) => name !== undefined);
};

/** A name as JSONata takes it. */
const quoted = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll('`', '')}\``);

/** How the fields of one record become a finding, and what a person has to correct. `choices`: the words that a field may hold. */
export const mappingOf = (record, choices = {}) => {
  const fillIn = [];
  const map = {};
  for (const [field, names] of Object.entries(NAMES)) {
    const name = nameIn(record, names);
    if (name === undefined)
      fillIn.push(`findings.map.${field}: no field of the answer has a likely name, so that "unknown" stands there`);
    map[field] = name === undefined ? "'unknown'" : field === 'severity' ? quoted(name) : `$string(${quoted(name)})`;
  }
  const [path, line] = [nameIn(record, PLACES.path), nameIn(record, PLACES.startLine)];
  if (path !== undefined)
    map.locations = `[{ 'path': ${quoted(path)}${line === undefined ? '' : `, 'startLine': ${quoted(line)}`} }]`;
  const severity = nameIn(record, NAMES.severity) ?? '';
  const words = choices[severity] ?? [record[severity]];
  const known = words.filter((word) => typeof word === 'string');
  const severities = Object.fromEntries(known.map((word) => [word, SEVERITIES[word.toLowerCase()] ?? 'medium']));
  fillIn.push('findings.severities: say what each word of the service means; "*" stands for all that are not named');
  return { map, severities: { ...severities, '*': 'medium' }, fillIn };
};

/** An answer of a service that nobody has described. */
export const EXAMPLE_RECORD = {
  rule: 'example-rule',
  title: 'An example of a finding',
  severity: 'high',
  file: 'src/a.ts',
  line: 3,
};
