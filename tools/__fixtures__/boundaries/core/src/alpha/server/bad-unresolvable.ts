import { nothing } from './is-not-there.ts';
export const something = nothing;
