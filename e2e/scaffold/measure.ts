import { proveScaffold } from './prove.ts';

/** `npm run bench -- scaffold`: machine time from nothing to a working card. The goal is 60 s. */
const { seconds, lines } = await proveScaffold();
const rows = Object.entries(seconds).map(([step, value]) => `${step.padEnd(10)} ${value.toFixed(1).padStart(6)} s`);
process.stdout.write(
  `${rows.join('\n')}\n${lines} lines of code\n${JSON.stringify({ name: 'scaffold', seconds, lines })}\n`,
);
