import { createReadStream, statSync } from 'node:fs';
import { openReportTools } from '@breakwater/host-server/plugins/parse-tools.ts';

/**
 * Reads one report in a process of its own, so that its memory is its own. Arguments: tool, file, and a small report of the tool
 * that is read once before, so that the code has run as it has in a server that works. Prints what it took as JSON.
 */
const [tool = '', file = '', warmUp] = process.argv.slice(2);
const found = (await openReportTools()).resolveTool(tool);
if (found === null) throw new Error(`There is no importer ${tool}`);

const read = async (report: string) => {
  const counts = { findings: 0, components: 0, unreadable: 0 };
  const bytes = createReadStream(report, { highWaterMark: 65_536 });
  for await (const record of found.parser.parse(bytes, { signal: new AbortController().signal })) {
    if (record.kind === 'finding') counts.findings += 1;
    else if (record.kind === 'component') counts.components += 1;
    else if (record.kind === 'unreadable') counts.unreadable += 1;
  }
  return counts;
};

if (warmUp !== undefined) await read(warmUp);
const before = process.memoryUsage.rss();
const cpuBefore = process.cpuUsage();
const start = performance.now();
const counts = await read(file);
const wallMs = performance.now() - start;
const cpu = process.cpuUsage(cpuBefore);
const grownBytes = process.resourceUsage().maxRSS * 1024 - before;
const measured = { ...counts, wallMs, cpuMs: (cpu.user + cpu.system) / 1000, grownBytes, bytes: statSync(file).size };
process.stdout.write(JSON.stringify(measured));
