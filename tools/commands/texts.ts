import { gapsOf, readTexts } from '../languages/check.ts';
import { gapsOfPlugin, missingOfPlugin, readPlugins } from '../languages/plugins.ts';
import { missingTexts, skeletonOf } from '../languages/tables.ts';
import { ROOT } from '../suites/run.ts';

const USAGE = `Texts of the interface and their tables:
  npm run texts                             counts for every slice, and entries of tables that are wrong
  npm run texts -- <slice>                  what is not wrapped, and what a table lacks
  npm run texts -- <id> <slice> --missing   what the table of a language lacks, as JSON to be filled
A plugin is named as its folder, plugins/tickets, in place of a slice.
`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const [first, second, option] = process.argv.slice(2);
const report = await readTexts(ROOT);
const language = report.languages.find(({ id }) => id === first);
const plugins = await readPlugins(ROOT);
const pluginAt = (place: string | undefined) => plugins.find(({ id }) => `plugins/${id}` === place);
const plugin = pluginAt(first);
const pluginToFill = pluginAt(second);

if (first === undefined) {
  for (const slice of report.slices) {
    const gaps = gapsOf(report, slice);
    const bare = report.bare.get(slice)?.length ?? 0;
    say(`${slice}: ${bare} not wrapped, ${gaps.length - bare} not translated`);
  }
  for (const one of plugins) {
    const gaps = gapsOfPlugin(one, report.languages);
    say(`plugins/${one.id}: ${gaps.length - one.issues.length} not translated, ${one.issues.length} wrong`);
  }
  for (const issue of report.issues) say(issue);
} else if (language !== undefined && pluginToFill !== undefined && option === '--missing') {
  say(JSON.stringify(skeletonOf(language, missingOfPlugin(pluginToFill, language.id)), null, 2));
} else if (plugin !== undefined && second === undefined) {
  for (const gap of gapsOfPlugin(plugin, report.languages)) say(gap);
} else if (language !== undefined && second !== undefined && option === '--missing') {
  say(JSON.stringify(skeletonOf(language, missingTexts(language, second, report.texts)), null, 2));
} else if (second === undefined && report.slices.includes(first)) {
  for (const gap of gapsOf(report, first)) say(gap);
} else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
