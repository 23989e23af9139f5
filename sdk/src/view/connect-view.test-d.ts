import type { View } from './connect-view.ts';

interface Routes {
  'GET /a': { output: string };
  'POST /b': { input: { n: number }; output: number };
}

/** The compiler holds each call to its route. */
export const calls = async (view: View<Routes>): Promise<[string, number]> => {
  const answers: [string, number] = [await view.call('GET /a'), await view.call('POST /b', { n: 1 })];
  // @ts-expect-error there is no such route
  await view.call('GET /c');
  // @ts-expect-error its input is missing
  await view.call('POST /b');
  // @ts-expect-error its input is another
  await view.call('POST /b', { n: 'x' });
  return answers;
};
