import { type Http, type Identity, readAnswer, Type } from '@breakwater/sdk';

const Deployment = Type.Object({ deployment: Type.Object({ name: Type.String({ minLength: 1 }) }) });

/**
 * Organisation that a token of the rules registry belongs to.
 * Source: semgrep CLI 1.x, `semgrep/app/auth.py`: the command-line program asks the same before each scan.
 */
export async function checkToken({ http }: { readonly http: Http }): Promise<Identity> {
  const answer = await http.json({ path: '/api/agent/deployments/current' });
  return { identity: readAnswer(Deployment, answer).deployment.name };
}
