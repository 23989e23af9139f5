import { parseArgs } from 'node:util';
import { UsageError } from './api.ts';

/** Severities, worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'informational'] as const;
export type Severity = (typeof SEVERITIES)[number];

interface Common {
  isJson: boolean;
  /** Seconds that a command waits for the server to finish. */
  timeoutSeconds: number;
}

export interface UploadCommand extends Common {
  name: 'upload';
  files: string[];
  /** Id or name. */
  repository: string;
  tool: string;
  part: string | undefined;
  branch: string | undefined;
  commit: string | undefined;
  isWaiting: boolean;
}

export interface GateCommand extends Common {
  name: 'gate';
  failOn: Severity;
  /** Id or name; undefined for all. */
  repository: string | undefined;
  branch: string | undefined;
  isNewOnly: boolean;
}

export interface ScanCommand extends Common {
  name: 'scan';
  type: string;
  repository: string | undefined;
  branch: string | undefined;
  isWaiting: boolean;
}

export type Command = UploadCommand | GateCommand | ScanCommand | { name: 'help'; text: string } | { name: 'version' };

const GENERAL = `Usage: breakwater <command> [options]

  upload <files…>   send reports of scanners
  gate              fail where open findings are too severe
  scan              let the server scan repositories

  breakwater <command> --help says more; --version names this program.

Settings (environment)
  BREAKWATER_URL    address of the server, such as https://breakwater.example
  BREAKWATER_TOKEN  an API token: Connectors › Plexalyzer, scopes upload, read, scan

Exit codes
  0  done; the gate is passed
  1  the gate failed
  2  wrong use: options, settings, a file that cannot be read
  3  the server cannot be reached, refused, or did not finish
`;

const SHARED = `  --json                print one JSON document on standard output
  --timeout <seconds>   wait for the server at most so long (1800)
`;

const USAGE = {
  upload: `Usage: breakwater upload <files…> --repository <id or name> [options]      (scope: upload)

  --repository <id or name>
  --tool <name>         which scanner wrote it (auto: recognised from the report)
  --part <name>         what the report is about, where a repository is scanned in parts; it closes only findings of its part
  --branch <name>       scanned branch (the default branch)
  --commit <hash>       scanned commit
  --wait                until the findings are there; without it the import goes on by itself
${SHARED}`,
  gate: `Usage: breakwater gate --fail-on <severity> [options]      (scope: read)

Fails (exit code 1) where a finding of this severity or a worse one is open. False positives, accepted risks and duplicates do not count.

  --fail-on <severity>  ${SEVERITIES.join(', ')}
  --repository <id or name>   (all)
  --branch <name>       (the default branch of each)
  --new-only            only findings that the newest import of each tool and part brought; needs --repository
${SHARED}`,
  scan: `Usage: breakwater scan [options]      (scope: scan)

  --type <type>         all, cloud, a category such as sast, or a scanner such as bandit (all)
  --repository <id or name>   (every one that can be cloned)
  --branch <name>       (the default branch of each)
  --wait                until the scans have ended
${SHARED}`,
} as const;
type CommandName = keyof typeof USAGE;

const isCommandName = (name: string): name is CommandName => Object.hasOwn(USAGE, name);

const string = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const COMMON = { json: flag, help: { ...flag, short: 'h' }, timeout: { ...string, default: '1800' } } as const;

const isSeverity = (text: string): text is Severity => SEVERITIES.some((severity) => severity === text);

const secondsOf = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--timeout takes whole seconds, such as 600; not “${text}”.`);
  return Number(text);
};

const noFiles = (positionals: readonly string[]): void => {
  const [first] = positionals;
  if (first !== undefined) throw new UsageError(`“${first}” is no option of this command.`);
};

const readUpload = (args: string[]): Command => {
  const options = { ...COMMON, repository: string, tool: { ...string, default: 'auto' }, part: string };
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...options, branch: string, commit: string, wait: flag },
  });
  if (values.help) return { name: 'help', text: USAGE.upload };
  const { repository, tool, part, branch, commit } = values;
  if (files.length === 0) throw new UsageError('Name at least one report.');
  if (repository === undefined) throw new UsageError('Say which repository was scanned: --repository <id or name>.');
  if (commit !== undefined && !/^[0-9a-f]{7,64}$/i.test(commit)) {
    throw new UsageError(`--commit takes the hash of a commit, 7 to 64 hexadecimal digits; not “${commit}”.`);
  }
  return {
    ...{ name: 'upload', files, repository, tool, part, branch, commit, isWaiting: values.wait },
    ...{ isJson: values.json, timeoutSeconds: secondsOf(values.timeout) },
  };
};

const readGate = (args: string[]): Command => {
  const options = { ...COMMON, 'fail-on': string, repository: string, branch: string, 'new-only': flag } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) return { name: 'help', text: USAGE.gate };
  noFiles(positionals);
  const { repository, branch, 'fail-on': failOn, 'new-only': isNewOnly } = values;
  if (failOn === undefined || !isSeverity(failOn)) {
    throw new UsageError(`Say what fails the gate: --fail-on ${SEVERITIES.join(' | ')}.`);
  }
  if (isNewOnly && repository === undefined) throw new UsageError('--new-only needs --repository <id or name>.');
  const common = { isJson: values.json, timeoutSeconds: secondsOf(values.timeout) };
  return { name: 'gate', failOn, repository, branch, isNewOnly, ...common };
};

const readScan = (args: string[]): Command => {
  const options = {
    ...COMMON,
    type: { ...string, default: 'all' },
    repository: string,
    branch: string,
    wait: flag,
  } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) return { name: 'help', text: USAGE.scan };
  noFiles(positionals);
  const { type, repository, branch, wait: isWaiting } = values;
  const common = { isJson: values.json, timeoutSeconds: secondsOf(values.timeout) };
  return { name: 'scan', type, repository, branch, isWaiting, ...common };
};

const READERS: Readonly<Record<CommandName, (args: string[]) => Command>> = {
  upload: readUpload,
  gate: readGate,
  scan: readScan,
};

const isParseError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** @throws UsageError */
export const readArguments = ([name = '--help', ...args]: readonly string[]): Command => {
  if (name === '--help' || name === '-h' || name === 'help') return { name: 'help', text: GENERAL };
  if (name === '--version') return { name: 'version' };
  if (!isCommandName(name)) throw new UsageError(`There is no command “${name}”: upload, gate, scan.`);
  try {
    return READERS[name](args);
  } catch (error) {
    throw isParseError(error) ? new UsageError(error.message, { cause: error }) : error;
  }
};
