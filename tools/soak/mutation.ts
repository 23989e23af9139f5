import { aiRemediator } from './mutation/ai-remediator.ts';
import { berthScan } from './mutation/berth-scan.ts';
import { fortify } from './mutation/fortify.ts';
import { gitea } from './mutation/gitea.ts';
import { type Measured, measure } from './mutation/mutate.ts';
import { pierWatch } from './mutation/pier-watch.ts';

/**
 * Faults that authors make, planted one at a time into connectors that pass: how many the conformance kit alone catches. Three connectors are
 * ours, two are written as an outsider would. Argument: one of them. Source: issue 18, must show 6.
 */
const ALL = [gitea, fortify, aiRemediator, berthScan, pierWatch];
const LEAST_SHARE = 0.9;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const [wanted] = process.argv.slice(2);
const chosen = ALL.filter(({ connector }) => wanted === undefined || wanted === connector);
if (chosen.length === 0) {
  say(`There is no connector "${wanted}" with faults. There are: ${ALL.map(({ connector }) => connector).join(', ')}.`);
  process.exit(2);
}

const measured: Measured[] = [];
for (const mutations of chosen) {
  say(`${mutations.connector}: ${mutations.faults.length} faults`);
  const one = await measure(mutations, ({ name, issue }) =>
    say(`  ${issue === null ? 'MISSED' : 'caught'}  ${name}${issue === null ? '' : `: ${issue.slice(0, 140)}`}`),
  );
  measured.push(one);
  const missed = one.outcomes.filter(({ issue }) => issue === null).map(({ name }) => name);
  const caught = one.outcomes.length - missed.length;
  say(JSON.stringify({ soak: 'mutation', connector: one.connector, caught, missed, seconds: one.seconds }));
}
const outcomes = measured.flatMap((one) => one.outcomes);
const caught = outcomes.filter(({ issue }) => issue !== null).length;
say(JSON.stringify({ soak: 'mutation', faults: outcomes.length, caught, share: caught / outcomes.length }));
// what a connector left behind must not keep the run from ending
process.exit(caught / outcomes.length >= LEAST_SHARE ? 0 : 1);
