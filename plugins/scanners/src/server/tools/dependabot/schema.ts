import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Fields = Type.Object({});

/** An alert of the REST API. Source: GitHub REST API 2022-11-28, "List Dependabot alerts". */
export const RestAlert = Type.Object({
  security_advisory: Type.Optional(Fields),
  security_vulnerability: Fields,
  dependency: Type.Optional(Fields),
});
export const restAlertCheck = recordCheck(RestAlert);

/** A `RepositoryVulnerabilityAlert`. Source: GitHub GraphQL API; queries choose their fields. */
export const GraphAlert = Type.Object({ securityVulnerability: Fields });
export type GraphAlert = Static<typeof GraphAlert>;
export const graphAlertCheck = recordCheck(GraphAlert);
export const edgeCheck = recordCheck(Type.Object({ node: GraphAlert }));
