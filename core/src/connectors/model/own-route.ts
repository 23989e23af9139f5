/** One segment of the path of a connector's own route: lower case, nothing that a router would read as a pattern. */
export const OWN_ROUTE_SEGMENT = '[a-z0-9][a-z0-9_-]*';
