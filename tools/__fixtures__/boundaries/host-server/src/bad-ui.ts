import { AlphaList } from '../../core/src/alpha/ui/alpha-list.tsx';
export const stolen = AlphaList;
