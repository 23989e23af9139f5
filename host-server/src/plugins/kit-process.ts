import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
/** A report of a thousand issues, or a recording of many answers; what is longer is cut, and then no JSON. */
const MAX_OUTPUT = 4 * 1024 ** 2;

export interface KitProcess {
  /** Below the folder of the SDK. */
  entry: string;
  args?: readonly string[];
  /** The only files that it reads besides the code of SDK and dependencies, and where it runs. */
  folder: string;
  /** On its standard input. */
  input?: string;
  memoryMb: number;
  longestMs: number;
  signal: AbortSignal;
}

/**
 * Code of the kit in a process of its own: no environment, no files but its code and one folder, nothing written, limited memory and time.
 * @returns its output @throws where it does not end in time
 */
export const runKitProcess = ({ entry, args = [], folder, input = '', memoryMb, longestMs, signal }: KitProcess) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        '--permission',
        // for the expressions of the document
        '--allow-worker',
        // there is no code in a document that could open a connection: services are played inside, and others are asked by the egress gate
        '--allow-net',
        `--allow-fs-read=${join(ROOT, 'sdk')}`,
        `--allow-fs-read=${join(ROOT, 'node_modules')}`,
        `--allow-fs-read=${folder}`,
        '--disable-warning=SecurityWarning',
        `--max-old-space-size=${memoryMb}`,
        join(ROOT, 'sdk', entry),
        ...args,
      ],
      {
        env: {},
        cwd: folder,
        stdio: ['pipe', 'pipe', 'ignore'],
        signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
        killSignal: 'SIGKILL',
      },
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < MAX_OUTPUT) output += text;
    });
    // one that ended before it read everything says so by its output
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
