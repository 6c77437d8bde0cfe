import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/query-client.ts';
import './tokens.css';
import './base.css';
// Before the router, which reads the address.
import './link-key.ts';
import { router } from './router.tsx';
import { SessionGate } from './session.tsx';

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no element with the id "root".');

createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
    </QueryClientProvider>
  </StrictMode>,
);
