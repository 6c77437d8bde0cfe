// The page of a report that was saved: it has its data in its document, and asks nothing of any server.
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../app/tokens.css';
import '../app/base.css';
import { router } from './router.tsx';

const element = document.getElementById('root');
if (!element) throw new Error('The document has no element with the id "root".');

createRoot(element).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
