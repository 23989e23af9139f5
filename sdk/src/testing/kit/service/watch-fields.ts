/** Which fields of the form a connector's code reads. */
interface FieldWatch {
  /** Read by name: `config.region`, `const { region } = config`. */
  readonly looked: ReadonlySet<string>;
  /** Taken with all others: `{ ...config }`, or sent to another process. */
  readonly taken: ReadonlySet<string>;
  /** The form, watched. */
  of<T extends object>(config: T): T;
}

export function watchFields(): FieldWatch {
  const looked = new Set<string>();
  const taken = new Set<string>();
  let copied: string | symbol | undefined;
  const of = <T extends object>(config: T): T =>
    new Proxy(config, {
      // a copy asks for the field itself before its value
      getOwnPropertyDescriptor(target, name) {
        copied = name;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
      get(target, name, receiver) {
        if (typeof name === 'string') (copied === name ? taken : looked).add(name);
        copied = undefined;
        return Reflect.get(target, name, receiver);
      },
    });
  return { looked, taken, of };
}
