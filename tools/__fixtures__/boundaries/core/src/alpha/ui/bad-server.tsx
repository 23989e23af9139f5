import { listBetas } from '../server/index.ts';
export const BadServer = () => <p>{listBetas().length}</p>;
