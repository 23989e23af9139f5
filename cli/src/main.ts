#!/usr/bin/env node
import { once } from 'node:events';
import { run } from './run.ts';

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  signal: interrupted.signal,
  out: (text) => process.stdout.write(text),
  progress: (text) => process.stderr.write(text),
});
// what stands in a pipe is written before the process ends
if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
