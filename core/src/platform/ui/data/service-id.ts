/** Names a service and carries its type. The container in app/src binds one implementation to each. */
export interface ServiceId<T> {
  readonly key: symbol;
  readonly '~'?: T;
}

export const serviceId = <T>(name: string): ServiceId<T> => ({ key: Symbol(name) });

/** The one thing that screens see of the dependency-injection container. */
export interface ServiceLocator {
  get<T>(id: ServiceId<T>): T;
}
