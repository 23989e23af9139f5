import { spawn } from 'node:child_process';

/** Runs any command with the project's Node and packages on PATH: `npm run dev -- tsc -b`. */
const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Say what to run: npm run dev -- <command> [arguments]\n');
  process.exit(2);
}
const bin = new URL('../../node_modules/.bin', import.meta.url).pathname;
const child = spawn(file, args, {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
});
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.once('exit', (code) => process.exit(code ?? 1));
