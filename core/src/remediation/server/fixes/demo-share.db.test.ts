import { FINDING_TYPES } from '@breakwater/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createImportScene, DEMO_REPORTS, type ImportScene, readDemo } from '../../../testing/import-scene.ts';
import type { FixFinding, RepositoryFile } from '../../model/fix.ts';
import { planFix } from './plan-fix.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
  for (const [tool, file] of DEMO_REPORTS) await scene.import(tool, await readDemo(file));
});
afterAll(() => scene.test.drop());

interface Row {
  id: string;
  tool: string;
  rule_id: string;
  title: string;
  type: string;
  cve: string | null;
  path: string | null;
  start_line: number | null;
  component: string | null;
  component_version: string | null;
  fixed_version: string | null;
  purl: string | null;
  ecosystem: string | null;
}

const issues = async (): Promise<FixFinding[]> => {
  const rows = await scene.rows<Row>(`
    select f.id, d.tool, d.rule_id, d.title, f.type, d.cve, p.path, l.start_line, d.component, d.component_version, d.fixed_version, d.purl, d.ecosystem
    from findings f
    join finding_definitions d on d.client_id = f.client_id and d.id = f.definition_id
    left join finding_files p on p.client_id = f.client_id and p.id = f.file_id
    left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
    where not f.is_duplicate and not f.is_subfinding
    order by d.tool, d.rule_id, p.path, l.start_line
  `);
  return rows.map((row) => ({
    id: row.id,
    tool: row.tool,
    ruleId: row.rule_id,
    title: row.title,
    type: FINDING_TYPES.find((type) => type === row.type) ?? 'SAST',
    cve: row.cve,
    file: row.path,
    startLine: row.start_line,
    endLine: row.start_line,
    resource: null,
    component:
      row.component === null
        ? null
        : {
            name: row.component,
            version: row.component_version,
            fixedVersion: row.fixed_version,
            purl: row.purl,
            ecosystem: row.ecosystem,
          },
  }));
};

/** package.json as the report of Dependency-Check names its packages (synthetic: the application itself is not part of the demo). */
const manifest = async (): Promise<RepositoryFile> => {
  const report = JSON.parse(await readDemo('owasp-dependency-check.json')) as {
    dependencies: { fileName: string; filePath: string }[];
  };
  const dependencies = report.dependencies.flatMap(({ fileName, filePath }) => {
    const [, name, version] = /^(.+):([^:]+)$/.exec(fileName) ?? [];
    return filePath.includes('package.json') && name !== undefined ? [[name, version]] : [];
  });
  return {
    path: 'package.json',
    content: JSON.stringify({ name: 'juice-shop', dependencies: Object.fromEntries(dependencies) }, null, 2),
  };
};

/** The file of a finding about its code, of which the report tells the one line (synthetic for the same reason). */
const reportedLine = async (rule: string): Promise<RepositoryFile> => {
  const report = JSON.parse(await readDemo('opengrep.semgrep-json.json')) as {
    results: { check_id: string; path: string; start: { line: number }; extra: { lines: string } }[];
  };
  const found = report.results.find(({ check_id }) => check_id.endsWith(rule));
  if (found === undefined) throw new Error(`The demo has no ${rule}.`);
  return { path: found.path, content: `${'\n'.repeat(found.start.line - 1)}${found.extra.lines}\n` };
};

it("says how many of the demo's issues have a fix without AI, and why the others have none", async () => {
  const all = await issues();
  const files = [await manifest(), await reportedLine('express-libxml-vm-noent')];
  const counts: Record<string, number> = {};
  for (const finding of all) {
    const plan = await planFix({ finding, related: all.filter((other) => other !== finding), files });
    const key = plan.kind === 'none' ? plan.reason : plan.kind === 'issue' ? 'checklist' : 'change';
    counts[key] = (counts[key] ?? 0) + 1;
  }
  expect(all).toHaveLength(151);
  expect(counts).toEqual({
    // upgrades of dottie and file-type, and entities of XML that are no longer resolved
    change: 3,
    // 8 secrets, which people rotate; 84 in files that npm packages carry (82 times Go's standard library in the binaries of esbuild,
    // twice a jar of font-mfizz): which release of such a package holds a fixed one is told by no report
    checklist: 92,
    // what is wrong is the way of the data through the code
    needs_code_change: 48,
    // the report names no fixed version
    no_fixed_version: 8,
  });
});
