import type { FindingType, PostureCheck } from '@breakwater/sdk';
import { type ReportedFamily, readReportedFamilies, type Viewer } from '../../findings/server/index.ts';
import type { ReportTools } from '../../platform/model/connector-catalogue.ts';
import type { Db } from '../../platform/server/database.ts';
import type { ReportToolSource } from '../../platform/server/report-tool-source.ts';
import { countSettingStates, type SettingStates } from '../../source-control/server/index.ts';

/** What has ever reported, by scanner family, and by setting that could be read somewhere. */
export interface Evidence {
  families: ReadonlyMap<FindingType, { tools: string[]; lastSeen: Date }>;
  settings: ReadonlyMap<PostureCheck, SettingStates>;
}

/**
 * The one family that a tool's reports are about; null where they may be about several. A report without results then says nothing
 * of a family, and only what the tool ever found does.
 */
const onlyFamilyOf = (tools: Pick<ReportTools, 'tools' | 'resolveTool'>, name: string): FindingType | null => {
  const tool = tools.resolveTool(name);
  if (tool === null) return null;
  if (tool.family !== null) return tool.family;
  const families = new Set(tools.tools().flatMap((one) => (one.tool === tool.tool ? (one.family ?? []) : [])));
  const [only, ...others] = families;
  return only !== undefined && others.length === 0 ? only : null;
};

/** By family: its tools, and when the newest report of one came. */
export const familiesOf = (
  tools: Pick<ReportTools, 'tools' | 'resolveTool'>,
  reported: readonly ReportedFamily[],
): Evidence['families'] => {
  const families = new Map<FindingType, { tools: string[]; lastSeen: Date }>();
  for (const { tool, family, lastSeen } of reported) {
    for (const one of new Set([family, onlyFamilyOf(tools, tool)])) {
      if (one === null) continue;
      const known = families.get(one);
      families.set(one, {
        tools: [...new Set([...(known?.tools ?? []), tool])].sort(),
        lastSeen: known !== undefined && known.lastSeen > lastSeen ? known.lastSeen : lastSeen,
      });
    }
  }
  return families;
};

/** What has reported of the repositories that the viewer reads. */
export const readEvidence = async (
  db: Db,
  { viewer, tools: source }: { viewer: Viewer; tools: ReportToolSource },
): Promise<Evidence> => {
  const { tools } = await source.ofClient(db, viewer.clientId);
  const reported = await readReportedFamilies(db, viewer);
  const settings = await countSettingStates(db, {
    clientId: viewer.clientId,
    onlyOwnedBy: viewer.seesAll ? null : viewer.userId,
  });
  return {
    families: familiesOf(tools, reported),
    // what could be seen nowhere was not assessed
    settings: new Map(settings.flatMap((one) => (one.ok + one.at_risk > 0 ? [[one.check, one] as const] : []))),
  };
};
