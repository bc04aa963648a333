import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Providers } from '#app/providers.tsx'
import { ConsoleRoutes, preloadScreen } from '#app/router.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')
preloadScreen(window.location.pathname)
createRoot(root).render(
  <Providers>
    <BrowserRouter>
      <ConsoleRoutes />
    </BrowserRouter>
  </Providers>,
)
