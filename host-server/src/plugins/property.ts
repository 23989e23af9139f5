/** A part of something that another wrote; undefined where there is none. */
export const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
