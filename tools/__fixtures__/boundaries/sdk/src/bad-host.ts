import { gate } from './host/index.ts';

export const here = gate;
