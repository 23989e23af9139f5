/** Size of a generated report. */
export interface ReportShape {
  results: number;
  rules?: number;
  files?: number;
  /** Lines that all results moved down by, to make the report after an edit. */
  shift?: number;
  /** The report after a week of work: 1 % of the results are gone, 1 % came, 5 % stand some lines lower. */
  isEdited?: boolean;
}

/** Weaknesses as often as scans of web services find them, with their names. */
const WEAKNESSES: readonly (readonly [number, string])[] = [
  [79, "Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')"],
  [89, "Improper Neutralization of Special Elements used in an SQL Command ('SQL Injection')"],
  [22, "Improper Limitation of a Pathname to a Restricted Directory ('Path Traversal')"],
  [78, "Improper Neutralization of Special Elements used in an OS Command ('OS Command Injection')"],
  [327, 'Use of a Broken or Risky Cryptographic Algorithm'],
  [798, 'Use of Hard-coded Credentials'],
  [502, 'Deserialization of Untrusted Data'],
  [611, 'Improper Restriction of XML External Entity Reference'],
  [918, 'Server-Side Request Forgery (SSRF)'],
  [352, 'Cross-Site Request Forgery (CSRF)'],
  [601, "URL Redirection to Untrusted Site ('Open Redirect')"],
  [1333, 'Inefficient Regular Expression Complexity'],
  [676, 'Use of Potentially Dangerous Function'],
];
const LANGUAGES = [
  ['javascript', 'express', 'js'],
  ['typescript', 'angular', 'ts'],
  ['python', 'django', 'py'],
  ['java', 'spring', 'java'],
  ['go', 'net', 'go'],
] as const;
const FOLDERS = [
  'src/api',
  'src/routes',
  'lib/models',
  'services/billing/handlers',
  'packages/web/src/components',
  'server/controllers',
] as const;
const SEVERITIES = ['ERROR', 'WARNING', 'WARNING', 'WARNING', 'INFO'] as const;
const CONFIDENCES = ['LOW', 'MEDIUM', 'HIGH'] as const;

/** Small fast generator of equally spread numbers in [0, 1). The same seed gives the same report. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('An empty list has no item');
  return item;
};

const ruleOf = (n: number) => {
  const [language, framework] = at(LANGUAGES, n);
  const [cwe, name] = at(WEAKNESSES, Math.floor(n * 1.7));
  const severity = at(SEVERITIES, n);
  return {
    id: `${language}.${framework}.security.audit.tainted-call-${n}.tainted-call-${n}`,
    severity,
    message: `Detected user input that reaches a dangerous ${framework} call without being checked (variant ${n}). An attacker who controls it can change what is executed. Validate the value against an allow-list, or use the parameterised form of the call that the framework offers.`,
    metadata: {
      category: 'security',
      confidence: at(CONFIDENCES, n),
      cwe: [`CWE-${cwe}: ${name}`],
      'cwe2022-top25': true,
      impact: severity === 'ERROR' ? 'HIGH' : 'MEDIUM',
      license: 'Commons Clause License Condition v1.0[LGPL-2.1-only]',
      likelihood: at(CONFIDENCES, n + 1),
      owasp: ['A03:2021 - Injection', 'A01:2017 - Injection'],
      references: [
        `https://owasp.org/Top10/A03_2021-Injection/#variant-${n}`,
        'https://cheatsheetseries.owasp.org/cheatsheets/Injection_Prevention_Cheat_Sheet.html',
      ],
      subcategory: ['vuln'],
      technology: [framework],
    },
  };
};

const placeOf = (line: number, from: number, to: number) => ({
  start: { col: from, line, offset: line * 40 + from },
  end: { col: to, line, offset: line * 40 + to },
});

/** One result in eight carries the way from source to sink. */
const traceOf = (path: string, line: number, code: string) => ({
  intermediate_vars: [{ content: 'criteria', location: { path, ...placeOf(line - 2, 9, 17) } }],
  taint_sink: ['CliLoc', [{ path, ...placeOf(line, 28, 90) }, code]],
  taint_source: ['CliLoc', [{ path, ...placeOf(line - 2, 60, 69) }, 'request.query']],
});

/** The text of a report in Semgrep's format, piece by piece: about 1.3 kB a result. */
export function* generateOpengrep(shape: ReportShape): Generator<string> {
  const { results, rules = 200, files = 2_500, shift = 0, isEdited = false } = shape;
  const end = isEdited ? results + Math.floor(results / 100) : results;
  const random = createRandom(42);
  const catalogue = Array.from({ length: rules }, (_, n) => ruleOf(n));
  let place = { rule: 0, file: 0, line: 0 };
  yield '{"errors":[],"paths":{"scanned":[]},"version":"1.93.0","results":[';
  for (let n = 0; n < end; n += 1) {
    // one result in ten says the same as the one before it, as overlapping rules do
    const isEcho = n % 10 === 9;
    if (!isEcho)
      place = {
        rule: Math.floor(random() ** 2 * rules),
        file: Math.floor(random() * files),
        line: Math.floor(random() * 900),
      };
    const { file } = place;
    const rule = at(catalogue, place.rule);
    const path = `${at(FOLDERS, file)}/module-${file % 97}/handler-${file}.${at(LANGUAGES, file)[2]}`;
    const line = 5 + shift + place.line + (isEdited && n % 20 === 3 ? 11 : 0);
    const code = `    return store.query("select * from items where name like '%" + request.query.term${n % 20_000} + "%' and owner = " + user.id)`;
    const result = {
      check_id: rule.id,
      path,
      ...placeOf(line, 12, 12 + (n % 80)),
      extra: {
        engine_kind: 'OSS',
        fingerprint: `${(random() * 2 ** 52).toString(16)}${n.toString(16)}`.padStart(64, '0'),
        is_ignored: false,
        lines: code,
        message: rule.message,
        metadata: rule.metadata,
        severity: rule.severity,
        ...(n % 8 === 0 ? { dataflow_trace: traceOf(path, line, code) } : {}),
      },
    };
    if (isEdited && n < results && n % 100 === 7) continue;
    yield `${n === 0 ? '' : ','}${JSON.stringify(result)}`;
  }
  yield ']}';
}
