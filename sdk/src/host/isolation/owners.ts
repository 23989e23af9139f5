/** Whose connection a `Ctx` is of. Calls of different owners never share a process. */
const owners = new WeakMap<object, string>();

export const NOBODY = '';

export function setOwner(ctx: object, owner: string): void {
  owners.set(ctx, owner);
}

export function ownerOf(ctx: object): string {
  return owners.get(ctx) ?? NOBODY;
}
