import { type CloudIdentity, type Ctx, readAnswer, Type } from '@breakwater/sdk';
import type { aws } from '../../cards/aws.ts';
import { textOf } from '../lib/answer.ts';
import { awsFailure } from './failure.ts';
import { CALL, signCall } from './sign.ts';
import { element } from './xml.ts';

const CallerIdentity = Type.Object({
  account: Type.String({ pattern: '^[0-9]{12}$' }),
  arn: Type.String({ pattern: '^arn:' }),
});

/**
 * Account and user of an access key. Needs no permission at AWS, so it fails for wrong keys only.
 * Source: AWS STS API reference, GetCallerIdentity, version 2011-06-15.
 */
export async function awsIdentity(ctx: Ctx<(typeof aws)['credentials']>): Promise<CloudIdentity> {
  const secretAccessKey = await ctx.reveal('secret_access_key');
  const headers = signCall({ accessKeyId: ctx.config.access_key_id, secretAccessKey }, ctx.now());
  const answer = await ctx.http.request({ method: 'POST', path: '/', headers, raw: CALL, accept: [400, 403] });
  const xml = textOf(answer);
  if (answer.status !== 200) throw awsFailure(answer.status, xml);
  const { account, arn } = readAnswer(CallerIdentity, { account: element(xml, 'Account'), arn: element(xml, 'Arn') });
  return { account, principal: arn };
}
