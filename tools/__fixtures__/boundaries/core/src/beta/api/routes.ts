export const betaRoutes = [];
