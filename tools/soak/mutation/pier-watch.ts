import type { Mutations } from './mutate.ts';

/** Without code: one `connector.json`. */
export const pierWatch: Mutations = {
  connector: 'pier-watch',
  folder: 'tools/__fixtures__/connectors/pier-watch',
  faults: [
    {
      name: 'the token is sent in a header of its own',
      file: 'connector.json',
      find: '"auth": { "type": "bearer", "value": "{{token}}" }',
      replace: '"auth": { "type": "header", "name": "x-token", "value": "{{token}}" }',
    },
    {
      name: 'a field without which nothing works is not required',
      file: 'connector.json',
      find: '"required": ["token", "organization"]',
      replace: '"required": ["token"]',
    },
    {
      name: 'check asks what everybody may read',
      file: 'connector.json',
      find: '"request": { "path": "/orgs/{{organization}}/token" }',
      replace: '"request": { "path": "/orgs/{{organization}}" }',
    },
    {
      name: 'a token without the right is accepted',
      file: 'connector.json',
      find: "$exists(rights) and $not('alerts:read' in rights)",
      replace: '$exists(rights) and $count(rights) > 9',
    },
    {
      name: 'a suspended organisation asks for a new token',
      file: 'connector.json',
      find: '"when": "state = \'suspended\'", "code": "unsupported"',
      replace: '"when": "state = \'suspended\'", "code": "auth"',
    },
    {
      name: 'the identity is a number',
      file: 'connector.json',
      find: '"identity": "owner.name"',
      replace: '"identity": "$string(owner.id)"',
    },
    {
      name: 'archived projects are asked for as well',
      file: 'connector.json',
      find: '"query": { "archived": "false" }',
      replace: '"query": { "archived": "true" }',
    },
    {
      name: 'projects after the first page are left out',
      file: 'connector.json',
      find: '"paging": { "type": "offset", "parameter": "skip", "size": 2, "sizeParameter": "take", "itemsAt": "projects" },',
      replace: '',
    },
    {
      name: 'pages are counted where items are',
      file: 'connector.json',
      find: '"type": "offset", "parameter": "skip"',
      replace: '"type": "page", "parameter": "skip"',
    },
    {
      name: 'a project is known by its name',
      file: 'connector.json',
      find: '"map": { "id": "key", "name": "name"',
      replace: '"map": { "id": "$lowercase(name)", "name": "name"',
    },
    {
      name: 'alerts of every branch are asked for',
      file: 'connector.json',
      find: '"query": { "branch": "{{branch}}", "state": "open" }',
      replace: '"query": { "state": "open" }',
    },
    {
      name: 'the version of the schema is not named',
      file: 'connector.json',
      find: ',\n      "headers": { "x-pier-schema": "3" }',
      replace: '',
    },
    {
      name: 'the cursor of the next page is sent under another name',
      file: 'connector.json',
      find: '"cursorAt": "page.next", "parameter": "cursor"',
      replace: '"cursorAt": "page.next", "parameter": "after"',
    },
    {
      name: 'licences become vulnerabilities',
      file: 'connector.json',
      find: '"where": "kind = \'dependency\'",',
      replace: '',
    },
    {
      name: 'the worst level is a high one',
      file: 'connector.json',
      find: '"severities": { "severe": "critical", "important": "high", "moderate": "medium", "minor": "low" },\n    "map": {\n      "ruleId": "advisory.id"',
      replace:
        '"severities": { "severe": "high", "important": "high", "moderate": "medium", "minor": "low" },\n    "map": {\n      "ruleId": "advisory.id"',
    },
    {
      name: 'the version with the repair is taken for the one that is used',
      file: 'connector.json',
      find: "'version': package.version, 'fixedVersion': package.patched",
      replace: "'version': package.patched, 'fixedVersion': package.version",
    },
    {
      name: 'lines count from 0',
      file: 'connector.json',
      find: "'startLine': row + 1",
      replace: "'startLine': $max([row, 1])",
    },
    {
      name: 'the first alias is taken for a CVE',
      file: 'connector.json',
      find: "advisory.aliases[$substring($, 0, 4) = 'CVE-'][0]",
      replace: 'advisory.aliases[0]',
    },
    {
      name: 'records of an uploaded report have the wrong rule',
      file: 'connector.json',
      find: '"ruleId": "id",\n      "title": "summary"',
      replace: '"ruleId": "summary",\n      "title": "summary"',
    },
    {
      name: 'the worst records of an uploaded report are left out',
      file: 'connector.json',
      find: '"identity": "rule and component",',
      replace: '"identity": "rule and component",\n    "where": "level != \'severe\'",',
    },
  ],
};
