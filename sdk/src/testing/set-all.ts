import type { Ctx } from '../context.ts';
import type { CredentialSchema } from '../credentials.ts';
import type { PostureAnswer, SettingChange } from '../scm/posture.ts';
import type { Scm } from '../scm/scm.ts';

/** What came of making one setting right. */
export interface SetOutcome {
  readonly before: PostureAnswer['state'] | undefined;
  /** What was shown beforehand. */
  readonly planned: readonly SettingChange[];
  /** Whether what was done is what was shown. */
  readonly isAsPlanned: boolean;
  readonly after: PostureAnswer['state'] | undefined;
  /** What is left to change afterwards: nothing, where the same twice has one effect. */
  readonly left: number;
}

/** Makes every setting right that a source control can, one after the other; asks `posture` before and after. By question. */
export async function setAll<S extends CredentialSchema>(
  scm: Scm<S>,
  ctx: Ctx<S>,
  repository: string,
): Promise<Record<string, SetOutcome>> {
  const { settings } = scm.write ?? {};
  const stateOf = async (check: string) =>
    (await scm.posture?.(ctx, repository))?.find((answer) => answer.check === check)?.state;
  const outcomes: Record<string, SetOutcome> = {};
  for (const check of settings?.checks ?? []) {
    const before = await stateOf(check);
    const planned = (await settings?.plan(ctx, { repository, check })) ?? [];
    const done = (await settings?.set(ctx, { repository, check })) ?? [];
    const again = (await settings?.set(ctx, { repository, check })) ?? [];
    const isAsPlanned = JSON.stringify(planned) === JSON.stringify(done);
    outcomes[check] = { before, planned, isAsPlanned, after: await stateOf(check), left: again.length };
  }
  return outcomes;
}
