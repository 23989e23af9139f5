import { AlphaList } from '../../alpha/ui/alpha-list.tsx';
export const screen = AlphaList;
