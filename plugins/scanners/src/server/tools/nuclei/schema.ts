import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String({ minLength: 1 });

/** A result of version 2 and later. Source: nuclei pkg/output/output.go `ResultEvent`. */
const Result = Type.Object({ 'template-id': Text });
/** Versions 2.1 to 2.4 wrote the name as one word. */
const EarlyResult = Type.Object({ templateID: Text });
/** Version 1 wrote what is now `info` beside the template. */
const FirstResult = Type.Object({ template: Text, matched: Text });

export const NucleiResult = Type.Union([Result, EarlyResult, FirstResult]);
export type NucleiResult = Static<typeof NucleiResult>;
export const resultCheck = recordCheck(NucleiResult);
