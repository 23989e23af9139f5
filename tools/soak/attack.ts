import { MAX_HEALTH_MS, runAttacks } from '../../e2e/harness/attack.ts';
import { ATTACKS } from '../../e2e/harness/attack-inputs.ts';
import { removeFolder, startServer } from '../../e2e/harness/server.ts';

/**
 * Inputs of attackers, sent to a built server while /healthz is asked ten times a second: what came back, and the longest /healthz. Fails
 * where one is answered by 5xx, is accepted that must not be, or holds /healthz up for more than a second. Argument: part of a name.
 */
const [part = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const server = await startServer();
try {
  const chosen = ATTACKS.filter(({ name }) => name.includes(part));
  const results = await runAttacks(server, chosen, ({ name, answers, ms, slowestHealthMs, fault }) =>
    say(
      `${name.padEnd(60)} ${answers.padEnd(24)} ${`${ms} ms`.padStart(9)} ${`healthz ${slowestHealthMs} ms`.padStart(16)}  ${fault === undefined ? 'ok' : `FAILED: ${fault}`}`,
    ),
  );
  const faults = results.filter(({ fault }) => fault !== undefined);
  const slowest = Math.max(...results.map(({ slowestHealthMs }) => slowestHealthMs));
  for (const line of server.errors()) say(line);
  say(
    JSON.stringify({
      soak: 'attack',
      attacks: results.length,
      failed: faults.length,
      healthz_worst_ms: slowest,
      limit_ms: MAX_HEALTH_MS,
    }),
  );
  process.exitCode = faults.length === 0 && results.length > 0 ? 0 : 1;
} finally {
  await server.stop();
  await removeFolder(server.dataDirectory);
}
