import { BlueprintProvider } from '@blueprintjs/core';
import { StrictMode } from 'react';
import { RouterProvider } from 'react-router-dom';
import { type ServiceLocator, ServicesProvider } from '../../platform/ui/services.tsx';
import type { createShellRouter } from './router.tsx';

export interface AppRootProps {
  services: ServiceLocator;
  router: ReturnType<typeof createShellRouter>;
}

/** The whole application, inside what Blueprint and the screens need above them. */
export function AppRoot({ services, router }: AppRootProps) {
  return (
    <StrictMode>
      <BlueprintProvider>
        <ServicesProvider services={services}>
          <RouterProvider router={router} />
        </ServicesProvider>
      </BlueprintProvider>
    </StrictMode>
  );
}
