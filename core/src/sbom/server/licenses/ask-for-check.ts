/**
 * In an import's transaction: the inventory of an application changed, so its licences are checked. $1 client, $2 application.
 * Inventories of other branches have ids of their own and are not checked.
 */
export const ASK_FOR_LICENSE_CHECK = `
  insert into license_checks as t (client_id, repository_id)
  select client_id, id from repositories where client_id = $1 and id = $2
  on conflict (client_id, repository_id) do update set asked = t.asked + 1`;
