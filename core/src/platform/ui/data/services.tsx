import { createContext, type ReactNode, useContext } from 'react';
import type { ServiceId, ServiceLocator } from './service-id.ts';

export { type ServiceId, type ServiceLocator, serviceId } from './service-id.ts';

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
