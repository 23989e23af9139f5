interface AlphaTable {
  id: string;
}

declare module '../../platform/server/tables.ts' {
  interface Database {
    alphas: AlphaTable;
    /** @readable by beta */
    alpha_views: AlphaTable;
    /**
     * Both write it.
     * @writable by beta
     */
    alpha_logs: AlphaTable;
  }
}

export {};
