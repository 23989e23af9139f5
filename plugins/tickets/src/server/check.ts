import { type Identity, readAnswer } from '@breakwater/sdk';
import { Myself } from './answers.ts';
import type { Flavour, JiraCtx } from './flavour.ts';
import { readServer } from './requests.ts';
import { openScreen } from './screen.ts';

/** Whose token it is, and that tickets can be made where the form says. Nothing is created. */
export const checkJira =
  (flavour: Flavour) =>
  async (ctx: JiraCtx): Promise<Identity> => {
    const { baseUrl } = await readServer(ctx, flavour);
    const { displayName } = readAnswer(Myself, await ctx.http.json({ path: `${flavour.api}/myself` }));
    const { project, issue_type: type } = ctx.config;
    await openScreen(ctx, flavour, { project, type });
    return { identity: `${displayName} · ${project} at ${URL.parse(baseUrl)?.host ?? baseUrl}` };
  };
