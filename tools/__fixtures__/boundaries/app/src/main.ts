import { AlphaList } from '../../core/src/alpha/ui/alpha-list.tsx';
export const main = AlphaList;
