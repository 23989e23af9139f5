import { createContext, type ReactNode, useContext } from 'react';

/** Names a service and carries its type. The container in app/src binds one implementation to each. */
export interface ServiceId<T> {
  readonly key: symbol;
  readonly '~'?: T;
}

export const serviceId = <T,>(name: string): ServiceId<T> => ({ key: Symbol(name) });

/** The one thing that screens see of the dependency-injection container. */
export interface ServiceLocator {
  get<T>(id: ServiceId<T>): T;
}

const ServicesContext = createContext<ServiceLocator | undefined>(undefined);

export interface ServicesProviderProps {
  services: ServiceLocator;
  children: ReactNode;
}

export function ServicesProvider({ services, children }: ServicesProviderProps) {
  return <ServicesContext value={services}>{children}</ServicesContext>;
}

/** The service bound to `id`: a store, the API client, the toasts. */
export function useService<T>(id: ServiceId<T>): T {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error('useService needs a ServicesProvider above it.');
  return services.get(id);
}
