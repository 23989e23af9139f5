interface GammaTable {
  id: string;
}

declare module '../../platform/server/tables.ts' {
  interface Database {
    /** @readable by alpha */
    gammas: GammaTable;
    gamma_ghosts: GammaTable;
  }
}

export {};
