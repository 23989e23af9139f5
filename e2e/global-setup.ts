import { buildAppWhenStale } from '../tools/app-build.ts';

/** The journeys drive what a person gets: the browser's code as `npm start` builds it. */
export default async (): Promise<void> => {
  await buildAppWhenStale((text) => process.stdout.write(`${text}\n`));
};
