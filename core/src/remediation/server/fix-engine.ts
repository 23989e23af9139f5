import type { FixFacts } from '../../findings/server/index.ts';
import type { FixFinding, FixPlan, FixRequest } from '../model/fix.ts';
import { filesForFix, planFix } from './fixes/plan-fix.ts';

/** Makes fixes without AI. Pure but for `FixRequest.resolveRef`. */
export interface FixEngine {
  /** Paths that a plan wants to see; those that do not exist are left out of the request. */
  filesForFix(finding: FixFinding): readonly string[];
  planFix(request: FixRequest): FixPlan | Promise<FixPlan>;
}

/** A finding as the engine knows it. */
export const fixFindingOf = (facts: FixFacts): FixFinding => ({
  id: facts.id,
  tool: facts.tool,
  ruleId: facts.ruleId,
  title: facts.title,
  type: facts.type,
  cve: facts.cve,
  file: facts.file,
  startLine: facts.startLine,
  endLine: facts.endLine,
  resource: facts.resource,
  component:
    facts.component === null
      ? null
      : {
          name: facts.component,
          version: facts.componentVersion,
          fixedVersion: facts.fixedVersion,
          purl: facts.purl,
          ecosystem: facts.ecosystem,
        },
});

/** The engine of this server. */
export const fixEngine: FixEngine = { filesForFix, planFix };
