#!/usr/bin/env node
/** The first that reads TypeScript by itself and runs undici 8. */
const OLDEST = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(`Node ${OLDEST.join('.')} or newer is needed; this is ${process.version}.\n`);
  process.exit(2);
}
// Imported only now: an older Node could not load it, and would say so in words that help nobody.
const { runCommandLine } = await import('../src/testing/kit/cli.ts');
const { askPerson } = await import('../src/testing/kit/commands/ask-person.ts');
await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  ask: process.stdin.isTTY ? askPerson : undefined,
});

export {};
